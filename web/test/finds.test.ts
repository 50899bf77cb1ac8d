/** Where finds of the search lead, and how they read. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, excerptOf, sourceOf } from "../src/shell/finds.ts";

const top = "thread-a";

test("a find leads to its conversation", () => {
  assert.equal(addressOf({ top, stream: top }), "/threads/thread-a");
  assert.equal(
    addressOf({ top, stream: "thread-a/session-2" }),
    "/threads/thread-a?session=session-2",
  );
  assert.equal(addressOf({ top, stream: "thread-a/t1" }), "/threads/thread-a/tasks/t1");
  assert.equal(
    addressOf({ top, stream: "thread-a/t1/session-1" }),
    "/threads/thread-a/tasks/t1?session=session-1",
  );
  assert.equal(addressOf({ top: "flow-x-1", stream: "flow-x-1/session-1" }), "/flow-runs/flow-x-1");
});

test("a find says whose words it is", () => {
  const piece = (text: string, is_match = false) => ({ text, is_match });
  assert.equal(excerptOf({ excerpt: [piece("the "), piece("button", true)] }), "the button");
  assert.equal(sourceOf({ by: "ann", speaker: "person", title: "Why" }), "ann · Why");
  assert.equal(sourceOf({ by: "", speaker: "agent", title: "Why" }), "agent · Why");
  assert.equal(sourceOf({ by: "", speaker: "treadle", title: "Why" }), "Why");
});
