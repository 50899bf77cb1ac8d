/** The work of a plan without tasks: where it is shown, and its transcript. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item, Transcript } from "../src/conversation/projection/items.ts";
import { mergedAll, type Read } from "../src/conversation/transcript/merge.ts";
import { calledOf, WORK } from "../src/plans/work.ts";
import { changesOf, workStreamOf, worksOf } from "../src/tasks/works.ts";

type Thread = Parameters<typeof workStreamOf>[0];

const SESSION = "thread-a/session-1";

function threadWith(work: unknown): Thread {
  return { thread_id: "thread-a", work, tasks: [{ task_id: "app" }] } as unknown as Thread;
}

test("the work stands before tasks, and has no id for people", () => {
  const work = { task_id: WORK, sessions: [{ session_id: SESSION }], earlier_sessions: [] };
  assert.deepEqual(
    worksOf(threadWith(work)).map(({ task_id }) => task_id),
    [WORK, "app"],
  );
  assert.deepEqual(
    worksOf(threadWith(null)).map(({ task_id }) => task_id),
    ["app"],
  );
  assert.equal(calledOf(WORK), "the work");
  assert.equal(calledOf("app"), "app");
});

test("of a task that several agents do, the changes of each are shown by letter and agent", () => {
  const candidates = [
    { candidate: "app.a", letter: "A", agent: "codex" },
    { candidate: "app.b", letter: "B", agent: "treadle", model: "qwen3:8b" },
  ];
  const thread = {
    work: null,
    tasks: [
      { task_id: "app", title: "Build it" },
      { task_id: "docs", title: "Tell of it" },
    ],
    candidates: [{ task_id: "app.a" }, { task_id: "app.b" }],
    contests: [{ task_id: "app", candidates }],
  } as unknown as Parameters<typeof changesOf>[0];

  assert.deepEqual(
    changesOf(thread).map(({ task, label }) => [task.task_id, label]),
    [
      ["app.a", "Task: Build it, A by codex"],
      ["app.b", "Task: Build it, B by treadle:qwen3:8b"],
      ["docs", "Task: Tell of it"],
    ],
  );
});

test("only the session that carries it out, or has, shows what happens to it", () => {
  const work = {
    sessions: [{ session_id: SESSION }],
    earlier_sessions: [{ session_id: "thread-a/session-2" }],
  };
  assert.equal(workStreamOf(threadWith(work), SESSION), `thread-a/${WORK}`);
  assert.equal(workStreamOf(threadWith(work), "thread-a/session-2"), `thread-a/${WORK}`);
  assert.equal(workStreamOf(threadWith(work), "thread-a/session-3"), null);
  assert.equal(workStreamOf(threadWith(null), SESSION), null);
});

function read(positions: readonly number[], more: Partial<Read> = {}): Read {
  const items = positions.map((position) => ({
    key: String(position),
    kind: "line",
    position,
    session: null,
  })) as unknown as readonly Item[];
  const state: Transcript = { items, open: null, commands: [], context: null };
  return { state, hasOlder: false, until: null, ...more };
}

test("three streams are one transcript, by position, without a gap drawn over", () => {
  const positions = (beside: readonly Read[]) =>
    mergedAll(read([1, 4, 9]), beside, SESSION).map(({ position }) => position);
  assert.deepEqual(positions([read([2, 8]), read([3, 5])]), [1, 2, 3, 4, 5, 8, 9]);
  assert.deepEqual(positions([read([2, 8]), read([3, 5], { hasOlder: true })]), [3, 4, 5, 8, 9]);
  assert.deepEqual(positions([read([2, 8]), read([3, 5], { until: 6 })]), [1, 2, 3, 4, 5]);
});
