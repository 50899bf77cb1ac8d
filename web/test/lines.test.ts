import assert from "node:assert/strict";
import { test } from "node:test";
import {
  grouped,
  isUnread,
  lineOfThread,
  markSeen,
  markWaiting,
  shortened,
  shownStatus,
  sorted,
  waitingIn,
} from "../src/api/lines.ts";

function line(id: string, status: string, changed = 1, isWorking = false) {
  return lineOfThread({
    thread_id: id,
    stream: id,
    kind: "thread",
    title: id,
    project: "/code/app",
    status,
    changed,
    is_working: isWorking,
    column:
      isWorking || /^(running|planning)$/.test(status)
        ? "running"
        : status === "waiting"
          ? "waiting"
          : "planned",
  } as Parameters<typeof lineOfThread>[0]);
}

test("what needs a person is first, then what runs, what failed, and the rest by age", () => {
  const lines = [
    line("old", "completed", 1),
    line("failed", "failed", 9),
    line("new", "completed", 8),
    line("runs", "running", 2),
    line("asks", "waiting", 3),
  ];
  assert.deepEqual(
    sorted(lines).map((each) => each.id),
    ["asks", "runs", "failed", "new", "old"],
  );
});

test("a chat whose agent works is shown as running, and sorted so", () => {
  const chat = line("chat", "chat", 5, true);
  assert.equal(shownStatus(chat), "running");
  assert.equal(sorted([line("done", "completed", 9), chat])[0]?.id, "chat");
});

test("a thread that came to rest after the last look is unread, and a look ends that", () => {
  const done = line("done", "completed", 7);
  const seen = { baseline: 5, lines: { gone: 3 } };
  assert.equal(isUnread(done, seen), true);
  assert.equal(isUnread(line("runs", "running", 7), seen), false);
  const after = markSeen(seen, done, [done]);
  assert.equal(isUnread(done, after), false);
  assert.deepEqual(after.lines, { done: 7 });
});

test("what was there before the page was first opened is not unread", () => {
  assert.equal(isUnread(line("old", "completed", 5), { baseline: 5, lines: {} }), false);
});

test("what is pinned, waits and runs stands before the rest, which is by repository", () => {
  const of = (id: string, status: string, project: string) => ({ ...line(id, status), project });
  const lines = [
    of("asks", "waiting", "/code/shop"),
    of("runs", "running", "/code/app"),
    of("one", "completed", "/code/shop"),
    of("kept", "failed", "/code/app"),
    of("two", "completed", "/code/app"),
    of("three", "chat", "/code/shop"),
  ];
  const groups = grouped(lines, new Set(["kept"]));
  assert.deepEqual(
    groups.map(({ name, lines }) => [name, ...lines.map(({ id }) => id)]),
    [
      ["Pinned", "kept"],
      ["Needs you", "asks"],
      ["Running", "runs"],
      ["shop", "one", "three"],
      ["app", "two"],
    ],
  );
});

test("what waits in a thread is counted as the inbox counts it", () => {
  const items = ["a", "b", "a", null].map((thread_id) => ({ thread_id, is_mine: true }));
  assert.equal(waitingIn(items, ["a", "c"]), 2);
  const theirs = [{ thread_id: "a", is_mine: false }];
  assert.equal(waitingIn([...items, ...theirs], ["a"]), 2);
});

test("what waits for somebody else goes on, and does not need this person", () => {
  const item = {
    thread_id: "theirs",
    run_id: null,
    title: "",
    project: "",
    since: "",
    is_mine: false,
    held_threads: [],
  };
  const [theirs, ...others] = markWaiting(
    [line("theirs", "waiting", 7)],
    [item, { ...item, thread_id: "unlisted" }],
  );
  assert.ok(theirs !== undefined && others.length === 0);
  assert.equal(isUnread(theirs, { baseline: 5, lines: {} }), false);
  assert.deepEqual(
    grouped([theirs], new Set()).map(({ name }) => name),
    ["app"],
  );
});

test("the sidebar has under its heading exactly what the inbox has items of", () => {
  const item = (thread: string) => ({
    thread_id: thread,
    run_id: null,
    title: `Title of ${thread}`,
    project: "/code/shop",
    since: "2026-01-01T00:00:00Z",
    is_mine: true,
    held_threads: [],
  });
  const lines = [
    line("unplanned", "failed", 9),
    line("answered", "waiting", 8),
    line("partly", "running", 7),
    line("runs", "running", 6),
  ];
  const marked = sorted(markWaiting(lines, ["unplanned", "partly", "unlisted"].map(item)));
  const waiting = grouped(marked, new Set()).find(({ name }) => name === "Needs you");
  assert.deepEqual(
    waiting?.lines.map(({ id, title }) => [id, title]),
    [
      ["unplanned", "unplanned"],
      ["partly", "partly"],
      ["unlisted", "Title of unlisted"],
    ],
  );
});

test("what waits at a monthly limit is among what needs a person, as on the board", () => {
  const limit = {
    thread_id: null,
    run_id: null,
    title: "all work in 2026-11",
    project: "",
    since: "2026-01-01T00:00:00Z",
    is_mine: true,
    held_threads: ["held", "unlisted"],
  };
  const marked = markWaiting([line("held", "waiting"), line("runs", "running")], [limit]);
  assert.deepEqual(
    marked.map(({ id, needsYou }) => [id, needsYou]),
    [
      ["held", true],
      ["runs", false],
    ],
  );
});

test("long groups are cut, but for what is pinned or open", () => {
  const many = ["a", "b", "c", "d"].map((id) => line(id, "completed"));
  const groups = [
    { name: "Pinned", lines: many },
    { name: "app", lines: many },
  ];
  const shown = shortened(groups, 2, "d").map(({ lines, count }) => [
    count,
    lines.map(({ id }) => id).join(""),
  ]);
  assert.deepEqual(shown, [
    [4, "abcd"],
    [4, "abd"],
  ]);
});
