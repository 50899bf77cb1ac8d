import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOf, kindLabelOf, nextKey, placeOfItem, subjectOf } from "../src/ui/inbox_items.ts";

type Item = Parameters<typeof kindLabelOf>[0];

function item(kind: string, more: object = {}): Item {
  return {
    item_id: "i",
    kind,
    thread_id: "thread-a",
    run_id: null,
    task_id: null,
    session_id: null,
    reason: "",
    tasks: 0,
    plans: 0,
    ...more,
  } as Item;
}

test("once the open item is answered, the one behind it opens, or the last", () => {
  assert.equal(nextKey(["a", "b", "c"], ["a", "c"], "b"), "c");
  assert.equal(nextKey(["a", "b", "c"], ["a", "b"], "c"), "b");
  assert.equal(nextKey(["a"], [], "a"), null);
});

test("an open item stays open while others come and go; at first the oldest opens", () => {
  assert.equal(nextKey(["a", "b"], ["b", "c"], "b"), "b");
  assert.equal(nextKey([], ["a", "b"], null), "a");
});

test("each kind leads to where it is looked at whole", () => {
  assert.equal(placeOfItem(item("plan", { plans: 2 })), "/threads/thread-a/compare");
  assert.equal(placeOfItem(item("plan", { plans: 1 })), "/threads/thread-a?panel=plan");
  assert.equal(placeOfItem(item("gate", { task_id: "t1" })), "/threads/thread-a/tasks/t1/review");
  assert.equal(placeOfItem(item("escalation", { run_id: "flow-x-1" })), "/flow-runs/flow-x-1");
});

test("a task that asks for a word has not failed", () => {
  const asks = { task_id: "host", workflow_id: "thread-a/host" };
  const failed = { task_id: "host", workflow_id: "thread-a" };
  assert.equal(kindLabelOf(item("escalation", asks)).status, "waiting");
  assert.equal(kindLabelOf(item("escalation", failed)).status, "failed");
});

test("what a failure holds up is said", () => {
  assert.equal(factsOf(item("escalation", { tasks: 2 })), "blocks 2 tasks");
  assert.equal(factsOf(item("plan", { tasks: 6, plans: 1 })), "");
});

test("what a row says twice is said once", () => {
  const said = (title: string, subject: string) => subjectOf({ title, subject });
  assert.equal(said("API keys", "API keys (2 tasks)"), "2 tasks");
  assert.equal(said("Import many lines", "Import many lines"), "");
  assert.equal(said("Deploy", "permission: Deploy to staging"), "Deploy to staging");
  assert.equal(said("Build the checkout", "Add the checkout routes"), "Add the checkout routes");
});
