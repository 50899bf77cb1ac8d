import assert from "node:assert/strict";
import { test } from "node:test";
import { faviconOf } from "../src/shell/favicon.ts";
import { announcementOf, isGateClosed, newItems, noticesOf } from "../src/shell/notices.ts";

type Item = Parameters<typeof newItems>[1][number];

function item(id: string, kind = "gate", thread = "thread-a"): Item {
  return {
    item_id: id,
    kind,
    thread_id: thread,
    workflow_id: thread,
    title: `About ${thread}`,
    subject: `Approve ${id}?`,
    since: "2026-01-01T00:00:00Z",
  } as Item;
}

test("nothing is new at the first look, then what was not there before", () => {
  assert.deepEqual(newItems(null, [item("1")]), []);
  assert.deepEqual(
    newItems([item("1")], [item("1"), item("2")]).map((each) => each.item_id),
    ["2"],
  );
});

test("notices are one a thread, with the thread and the newest question", () => {
  const notices = noticesOf([item("1"), item("2"), item("3", "plan", "thread-b")]);
  assert.deepEqual(
    notices.map((each) => each.text),
    ["gate: Approve 2? (and 1 more)", "plan: Approve 3?"],
  );
  assert.equal(notices[0]?.title, "About thread-a");
  assert.equal(notices[0]?.href, "/?item=2");
});

test("a gate that is gone was closed; a plan that is gone says nothing of gates", () => {
  assert.equal(isGateClosed([item("1")], []), true);
  assert.equal(isGateClosed([item("1", "plan")], []), false);
  assert.equal(isGateClosed(null, []), false);
});

test("several new ones are told by their number", () => {
  assert.equal(announcementOf([item("1")]), "New in the inbox: About thread-a, gate: Approve 1?");
  assert.equal(announcementOf([item("1"), item("2")]), "2 new in the inbox");
});

test("the icon carries the count", () => {
  assert.match(decodeURIComponent(faviconOf(4)), />4<\/text>/);
  assert.match(decodeURIComponent(faviconOf(120)), />99\+</);
  assert.doesNotMatch(faviconOf(0), /circle/);
});
