/** The queue: what its entries wait for, in words that people read. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { titled } from "../src/screens/queue/positions.ts";

test("what an entry waits for is called by its title", () => {
  const known = [
    { entry_id: "flow-1", title: "Triage" },
    { entry_id: "flow-10", title: "Release" },
    { entry_id: "thread-a" },
  ];
  assert.equal(titled("waits for flow-10 (waiting)", known), "waits for “Release” (waiting)");
  assert.equal(titled("flow-1, thread-a, thread-b", known), "“Triage”, thread-a, thread-b");
});
