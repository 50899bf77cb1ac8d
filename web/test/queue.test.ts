/** The queue: what its entries wait for, in words that people read. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { moveBy, moveTo, titled } from "../src/screens/queue/positions.ts";

test("what an entry waits for is called by its title", () => {
  const known = [
    { entry_id: "flow-1", title: "Triage" },
    { entry_id: "flow-10", title: "Release" },
    { entry_id: "thread-a" },
  ];
  assert.equal(titled("waits for flow-10 (waiting)", known), "waits for “Release” (waiting)");
  assert.equal(titled("flow-1, thread-a, thread-b", known), "“Triage”, thread-a, thread-b");
});

test("an entry is moved before what stands at its place then, or to the end", () => {
  const entries = [
    { id: "a", priority: 1 },
    { id: "b", priority: 3 },
    { id: "c", priority: 5 },
  ];
  assert.deepEqual(moveTo(entries, "c", 0), { before: "a", priority: null });
  assert.deepEqual(moveTo(entries, "a", 1), { before: "c", priority: null });
  assert.deepEqual(moveTo(entries, "a", 2), { before: null, priority: 5 });
  assert.equal(moveTo(entries, "b", 1), null);
  assert.equal(moveTo(entries, "b", 3), null);
  assert.equal(moveTo(entries, "gone", 0), null);
  assert.deepEqual(moveBy(entries, "b", -1), { before: "a", priority: null });
  assert.equal(moveBy(entries, "a", -1), null);
});
