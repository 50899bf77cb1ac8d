/** What is meant once is done once. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { intentFor, isDecided, leftAfter } from "../src/api/intent.ts";

function ids(): () => string {
  let made = 0;
  return () => `id-${++made}`;
}

test("the same said again keeps its id, another has one of its own", () => {
  const makeId = ids();
  const first = intentFor(null, "approve", makeId);
  assert.equal(intentFor(first, "approve", makeId).id, first.id);
  assert.notEqual(intentFor(first, "reject", makeId).id, first.id);
});

test("silence and trouble of the engine decide nothing, its refusals do", () => {
  assert.deepEqual([0, 500, 503, 504].map(isDecided), [false, false, false, false]);
  assert.deepEqual([400, 404, 409, 422].map(isDecided), [true, true, true, true]);
});

test("what is typed while a message is on its way stays", () => {
  assert.equal(leftAfter("hello", "hello"), "");
  assert.equal(leftAfter("hello", "hello\nand more"), "and more");
  assert.equal(leftAfter("hello", "rewritten"), "rewritten");
});
