import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { mineOf } from "../src/api/lines.ts";
import { headingOf, shownOf } from "../src/screens/inbox/shown.ts";
import {
  cardOfItem,
  factsOf,
  KINDS,
  kindLabelOf,
  nextKey,
  placeOfItem,
  subjectOf,
} from "../src/ui/inbox_items.ts";
import { moduleOf, rendered } from "./rendered.ts";

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

test("the person's are counted; for one person alone these are all", () => {
  const items = [item("gate"), item("plan", { is_mine: true }), item("gate", { is_mine: false })];
  assert.deepEqual(mineOf(items), items.slice(0, 2));
});

test("each kind leads to where it is looked at whole", () => {
  assert.equal(placeOfItem(item("plan", { plans: 2 })), "/threads/thread-a/compare");
  assert.equal(placeOfItem(item("plan", { plans: 1 })), "/threads/thread-a?panel=plan");
  assert.equal(placeOfItem(item("gate", { task_id: "t1" })), "/threads/thread-a/tasks/t1/review");
  assert.equal(placeOfItem(item("escalation", { run_id: "flow-x-1" })), "/flow-runs/flow-x-1");
  assert.equal(placeOfItem(item("pull_request")), "/threads/thread-a?panel=request");
  assert.equal(placeOfItem(item("best_of", { task_id: "t1" })), "/threads/thread-a/tasks/t1");
  assert.equal(placeOfItem(item("limit")), "/threads/thread-a");
  assert.equal(cardOfItem(item("limit", { item_id: "money#limit:1" })), "/?item=money%23limit%3A1");
  const silent = item("host_silent", { thread_id: null, host: "build-2" });
  assert.equal(placeOfItem(silent), "/hosts");
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
  assert.equal(said("b2", "Host b2 is silent (5 min)"), "is silent (5 min)");
  assert.equal(said("Import many lines", "Import many lines"), "");
  assert.equal(said("Deploy", "permission: Deploy to staging"), "Deploy to staging");
  assert.equal(said("Build the checkout", "Add the checkout routes"), "Add the checkout routes");
});

test("an open card that is the person's no longer stays until another is opened", () => {
  const theirs = item("gate", { item_id: "theirs", is_mine: false });
  const mine = item("gate", { item_id: "mine", is_mine: true });
  assert.deepEqual(shownOf([theirs, mine], true, null), [mine]);
  assert.deepEqual(shownOf([theirs, mine], true, "theirs"), [theirs, mine]);
  assert.deepEqual(shownOf([theirs, mine], false, null), [theirs, mine]);
});

test("the heading says how much of what waits is the person's", () => {
  const waiting = [true, false, true, false].map((is_mine) => item("gate", { is_mine }));
  assert.equal(headingOf(waiting, true), "Inbox · 2 need you");
  assert.equal(headingOf(waiting, false), "Inbox · 4 waiting, 2 need you");
  assert.equal(headingOf(waiting.slice(0, 1), false), "Inbox · 1 needs you");
  assert.equal(headingOf(waiting.slice(1, 2), false), "Inbox · 1 waiting, nothing needs you");
});

test("each kind has a shape of its own, and none looks like what nobody knows", async () => {
  const { KindIcon } = await moduleOf<typeof import("../src/ui/KindIcon.tsx")>("ui/KindIcon.tsx");
  const shape = (kind: string) => rendered(createElement(KindIcon, { kind }), []);
  for (const { value } of KINDS) {
    assert.notEqual(shape(value), shape("none of them"), value);
  }
});
