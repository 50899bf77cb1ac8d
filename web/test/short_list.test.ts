/** Long lists in parts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { firstOf, matching } from "../src/ui/short_list.ts";

const MANY = Array.from({ length: 1000 }, (_, number) => `Write part ${number}`);
const itself = (text: string) => text;

test("an item is found by its words in any order and case", () => {
  assert.deepEqual(matching(MANY, "777 WRITE", itself), ["Write part 777"]);
  assert.equal(matching(MANY, "  ", itself), MANY);
  assert.deepEqual(matching(MANY, "part nobody", itself), []);
});

test("the first are shown, with those that are kept in their places", () => {
  const shown = firstOf(MANY, 100, (text) => text.endsWith(" 500"));
  assert.equal(shown.length, 101);
  assert.deepEqual(shown.slice(-2), ["Write part 99", "Write part 500"]);
  assert.equal(
    firstOf(MANY, 1000, () => false),
    MANY,
  );
});
