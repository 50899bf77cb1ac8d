import assert from "node:assert/strict";
import { test } from "node:test";
import { isKnown, isOfTopic, type LiveEvent, topicOf } from "../src/api/events/topics.ts";

function event(stream: string): LiveEvent {
  const body = { kind: "task_aborted", by: "" } as const;
  const journaled = { position: 1, event: { id: "1", stream, at: "2026-01-01T00:00:00Z", body } };
  return { name: "journal", position: 1, journaled, data: null };
}

test("a thread's readers get what is in it and below, not what only begins alike", () => {
  assert.ok(isOfTopic("thread:thread-a", event("thread-a")));
  assert.ok(isOfTopic("thread:thread-a", event("thread-a/one/session-1")));
  assert.ok(!isOfTopic("thread:thread-a", event("thread-a-2")));
  assert.ok(!isOfTopic("inbox", event("thread-a")));
});

test("a check's readers get its stream", () => {
  assert.ok(isOfTopic("check:codex/2", event("agents/codex/check-2")));
  assert.ok(!isOfTopic("check:codex/2", event("agents/codex/check-21")));
});

test("news of a list reaches its readers, a reset everybody", () => {
  const news: LiveEvent = { name: "inbox", position: 3, journaled: null, data: {} };
  assert.ok(isOfTopic("inbox", news));
  assert.ok(!isOfTopic("threads", news));
  assert.ok(isOfTopic("thread:thread-a", { ...news, name: "reset" }));
});

test("an event comes once, a list's news also at the position that was read, a reset always", () => {
  const news: LiveEvent = { name: "inbox", position: 3, journaled: null, data: {} };
  assert.ok(isKnown(event("thread-a"), 1));
  assert.ok(!isKnown(event("thread-a"), 0));
  assert.ok(!isKnown(news, 3));
  assert.ok(isKnown(news, 4));
  assert.ok(!isKnown({ ...news, name: "reset" }, 9));
});

test("a topic is that of the thread or run, whatever is below it", () => {
  assert.equal(topicOf("thread-a/one/session-1"), "thread:thread-a");
  assert.equal(topicOf("flow-hello-1/session-2"), "flow:flow-hello-1");
});
