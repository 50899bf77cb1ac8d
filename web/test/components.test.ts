import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { Route } from "wouter";
import { moduleOf, rendered } from "./rendered.ts";

const ONE = { host: "aaaa", name: "build-1", state: "cordoned" };
const TWO = { host: "bbbb", name: "build-2", state: "up" };

function hosts(...found: readonly object[]) {
  return [["hosts", "all"], { hosts: found }] as const;
}

type HostFields = typeof import("../src/ui/HostFields.tsx");

test("a refusal about the host has a place where there is one host alone", async () => {
  const { HostFields } = await moduleOf<HostFields>("ui/HostFields.tsx");
  const shown = (error?: string) =>
    rendered(createElement(HostFields, { value: { host: "", labels: "" }, onChange() {}, error }), [
      hosts(ONE),
    ]);
  assert.equal(shown(), "");
  assert.match(shown("build-1: it is cordoned"), /build-1: it is cordoned/);
});

test("of two hosts of one name each can be chosen, by its id", async () => {
  const { HostFields } = await moduleOf<HostFields>("ui/HostFields.tsx");
  const { HostFilter } =
    await moduleOf<typeof import("../src/ui/HostFilter.tsx")>("ui/HostFilter.tsx");
  const twins = hosts(TWO, { ...TWO, host: "cccc" });
  const fields = createElement(HostFields, { value: { host: "", labels: "" }, onChange() {} });
  const filter = createElement(HostFilter, { value: "", onChange() {} });
  for (const element of [fields, filter]) {
    const html = rendered(element, [twins]);
    assert.match(html, /<option value="bbbb">build-2 \(bbbb\)<\/option>/);
    assert.match(html, /<option value="cccc">build-2 \(cccc\)<\/option>/);
  }
});

test("until it is known who is signed in, the inbox shows only what is the person's", async () => {
  const { default: Inbox } =
    await moduleOf<typeof import("../src/screens/inbox/index.tsx")>("screens/inbox/index.tsx");
  const item = { kind: "mention", thread_id: "thread-a", subject: "", reason: "", missing: "" };
  const since = "2026-01-01T00:00:00Z";
  const more = { since, project: "", assignee: "", tasks: 0 };
  const items = [
    { ...item, ...more, item_id: "a", title: "Of somebody else", is_mine: false },
    { ...item, ...more, item_id: "b", title: "Of this person", is_mine: true },
  ];
  const html = rendered(createElement(Inbox), [[["inbox"], { items, position: 1 }]]);
  assert.match(html, /Inbox · 1 needs you/);
  assert.match(html, /Of this person/);
  assert.doesNotMatch(html, /Of somebody else/);
});

test("a new agent, which goes to the machine of the API, is not offered a host", async () => {
  const { default: Agents } = await moduleOf<typeof import("../src/screens/agents/index.tsx")>(
    "screens/agents/index.tsx",
  );
  const routed = createElement(Route, { path: "/agents/:name?", component: Agents });
  const shown = (address: string) => rendered(routed, [hosts(ONE, TWO)], address);
  assert.match(shown("/agents"), /Any host/);
  assert.match(shown("/agents/+"), /on the machine of the API/);
  assert.doesNotMatch(shown("/agents/+"), /Any host/);
});

test("a picture that a step kept has its name and its step as its text", async () => {
  const { Attempt } =
    await moduleOf<typeof import("../src/tasks/Attempt.tsx")>("tasks/Attempt.tsx");
  const picture = {
    name: "shots/page.png",
    mime_type: "image/png",
    size_bytes: 3,
    sha256: "",
    content_ref: "a".repeat(64),
  };
  const step = {
    ...{ step_id: "s1", label: "Screenshots", passed: true, is_required: true, is_executed: true },
    ...{ is_lost: false, findings: [], reviewed_by: "", output: "", duration_ms: 1, sandbox: "" },
    ...{ tree: "", carried: [], is_carry_chosen: false, judged: [], pictures: [picture] },
  };
  const attempt = { attempt: 1, tree: null, steps: [step], is_finished: true, held: "" };
  const html = rendered(createElement(Attempt, { attempt, steps: [], isOpen: true }), []);
  assert.match(html, /<img src="\/v1\/pictures\/a{64}" alt="shots\/page.png, kept by Screenshots"/);
});
