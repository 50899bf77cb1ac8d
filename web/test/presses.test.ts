import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeliberate, type Pressed } from "../src/keyboard/presses.ts";

function down(key: string, at: number, more: Partial<Pressed> = {}): Pressed {
  return { key, at, target: "bar", ...more };
}

test("a key by itself decides", () => {
  assert.ok(isDeliberate(down("a", 900), null));
  assert.ok(isDeliberate(down("a", 900), down("a", 400, { target: "page" })));
});

test("letters of a word do not decide", () => {
  assert.ok(!isDeliberate(down("a", 900), down("n", 800)));
  assert.ok(!isDeliberate(down("a", 900), down(" ", 800)));
});

test("Enter held, or doubled where the first one moved the focus, does not decide", () => {
  assert.ok(!isDeliberate(down("Enter", 900, { isRepeat: true }), null));
  assert.ok(!isDeliberate(down("Enter", 900), down("Enter", 800, { target: "row" })));
});

test("who goes to a button by Tab, or sends what was just typed, means it", () => {
  assert.ok(isDeliberate(down("Enter", 900), down("Tab", 800, { target: "row" })));
  assert.ok(isDeliberate(down("Enter", 900), down("x", 800)));
  assert.ok(isDeliberate(down("Enter", 900, { isModified: true }), down("x", 800)));
});
