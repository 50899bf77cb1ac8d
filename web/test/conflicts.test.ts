import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf, sideOf, waysOf, wordsOf } from "../src/tasks/review/conflict_ways.ts";

const of = (session_id: string | null, task_id = "") =>
  ({ session_id, task_id, files: ["a"] }) as unknown as Parameters<typeof kindOf>[0];

test("a conflict is of a task, a chat or the base", () => {
  assert.equal(kindOf(of(null, "base")), "task");
  assert.equal(kindOf(of("thread-1/session-2")), "chat");
  assert.equal(kindOf(of("thread-1/base")), "base");
  assert.equal(sideOf(of("thread-1/base")), "the base");
});

test("no agent resolves the conflict of a base, which can be left out", () => {
  assert.deepEqual(waysOf("asked", "base"), ["keep_a", "keep_b", "by_hand", "leave"]);
  assert.deepEqual(waysOf("asked", "task"), ["keep_a", "keep_b", "agent", "by_hand"]);
  assert.deepEqual(waysOf("checking", "base"), []);
});

test("what a person keeps of a base is the thread's or the base's", () => {
  const found = { conflict: of("thread-1/base") } as unknown as Parameters<typeof wordsOf>[0];

  assert.match(wordsOf(found, "keep_a")[1], /the thread's version/);
  assert.match(wordsOf(found, "leave")[1], /updated again/);
});
