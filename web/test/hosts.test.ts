import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decisionsOf,
  heartbeatAt,
  loadOf,
  mayDecide,
  questionOf,
  silenceKey,
  standingOf,
} from "../src/screens/hosts/standing.ts";
import { sidebarOf } from "../src/shell/addresses.ts";
import { SCREENS } from "../src/shell/routes.ts";
import { hostChoices, hostIdOf, hostNameOf, placeOfRun } from "../src/ui/hosts.ts";

type Host = Parameters<typeof silenceKey>[0][number];

function host(more: Partial<Host> = {}): Host {
  return {
    host: "bbbb",
    name: "build-2",
    state: "up",
    silent: false,
    silent_seconds: 1,
    threads: [],
    slots: 3,
    turns: 0,
    ...more,
  } as unknown as Host;
}

test("a host's state is a word, and its shape is not its color alone", () => {
  const said = (more: Partial<Host>) => standingOf(host(more)).word;
  assert.equal(said({}), "up");
  assert.equal(said({ state: "cordoned" }), "cordoned");
  assert.equal(said({ state: "draining", silent: true }), "draining, silent");
  assert.equal(said({ silent: true }), "silent");
  assert.equal(said({ state: "lost", silent: true }), "lost");
  const shapes = [{}, { state: "cordoned" }, { silent: true }, { state: "lost" }] as const;
  assert.equal(new Set(shapes.map((more) => standingOf(host(more)).status)).size, 4);
});

test("a host that drains says what it still waits for", () => {
  const none = { is_answering: true, at_work: [], moving: [], staying: [], drained: false };
  const said = (more: object, silent = false) =>
    standingOf(host({ state: "draining", silent, drain: { ...none, ...more } })).word;
  assert.equal(said({ at_work: ["a"], moving: ["a", "b"] }), "draining: 1 at work, 2 to move");
  assert.equal(said({ is_answering: false }), "draining: its worker has not answered yet");
  assert.equal(said({ drained: true }, true), "drained");
});

test("a lost host can only be taken back, and each decision says what it does", () => {
  assert.deepEqual(decisionsOf(host({ state: "lost" })), ["uncordon"]);
  assert.deepEqual(decisionsOf(host()), ["cordon", "drain", "lost"]);
  assert.match(questionOf("lost", "build-2"), /^Declare build-2 lost\?.*another host\.$/);
});

test("only an admin of the whole server decides about hosts", () => {
  assert.equal(mayDecide({ roles: { "*": "admin" } }), true);
  assert.equal(mayDecide({ roles: { "*": "author", "/code/app": "admin" } }), false);
  assert.equal(mayDecide(undefined), false);
});

test("load and heartbeat are said as they are", () => {
  assert.equal(loadOf(host({ turns: 2, threads: ["a"] })), "2 at work, 3 slots, 1 thread");
  assert.equal(heartbeatAt(host({ silent_seconds: 60 }), 120_000), "1970-01-01T00:01:00.000Z");
  assert.equal(heartbeatAt(host({ silent_seconds: null }), 120_000), null);
});

test("the inbox is read again when a host falls silent, each minute then, and when it answers", () => {
  const keys = [
    [host(), host({ silent: true, silent_seconds: 125, threads: ["a"] })],
    [host(), host({ silent: true, silent_seconds: 185, threads: ["a"] })],
    [host(), host()],
    [host({ silent_seconds: 5 }), host({ threads: ["a", "b"] })],
  ].map(silenceKey);
  assert.equal(new Set(keys).size, 3);
  assert.equal(keys[2], keys[3]);
});

test("hosts are in the sidebar where there are several, or while they are shown", () => {
  const isThere = (path: string, count: number) =>
    sidebarOf(path, SCREENS, count).some((screen) => screen.path === "/hosts");
  assert.equal(isThere("/", 1), false);
  assert.equal(isThere("/", 2), true);
  assert.equal(isThere("/hosts", 1), true);
  assert.equal(sidebarOf("/", SCREENS, 1).length, sidebarOf("/", SCREENS, 2).length - 1);
});

test("hosts are chosen by id and shown by name; a lost one only where it is chosen", () => {
  const all = [host(), host({ host: "aaaa", name: "build-1", state: "lost" })];
  assert.deepEqual(hostChoices(all, ""), [{ value: "bbbb", label: "build-2" }]);
  assert.deepEqual(hostChoices(all, "build-1")[1], { value: "aaaa", label: "build-1" });
  assert.deepEqual(hostChoices(all, "gone")[1], { value: "gone", label: "gone" });
});

test("a name that two hosts have means neither of them", () => {
  const twins = [host(), host({ host: "cccc" })];
  assert.equal(hostIdOf(twins, "build-2"), "build-2");
  assert.equal(hostNameOf(twins, "cccc"), "build-2 (cccc)");
  assert.equal(hostIdOf(twins.slice(1), "build-2"), "cccc");
});

test("where trusted commands run names the chosen host", () => {
  assert.equal(placeOfRun([host()], ""), "on your machine");
  assert.equal(placeOfRun([host(), host({ host: "aaaa" })], ""), "on the host that does the work");
  assert.equal(placeOfRun([host()], "bbbb"), "on host build-2");
});
