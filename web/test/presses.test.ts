import assert from "node:assert/strict";
import { test } from "node:test";
import { isMeant, type Pressed } from "../src/keyboard/presses.ts";

function down(key: string, at: number, more: Partial<Pressed> = {}): Pressed {
  return { key, at, target: "bar", ...more };
}

test("a key by itself decides", () => {
  assert.ok(isMeant(down("a", 900), null));
  assert.ok(isMeant(down("a", 900), down("a", 400, { target: "page" })));
});

test("letters of a word do not decide", () => {
  assert.ok(!isMeant(down("a", 900), down("n", 800)));
  assert.ok(!isMeant(down("a", 900), down(" ", 800)));
});

test("Enter held, or doubled where the first one moved the focus, does not decide", () => {
  assert.ok(!isMeant(down("Enter", 900, { isRepeat: true }), null));
  assert.ok(!isMeant(down("Enter", 900), down("Enter", 800, { target: "row" })));
});

test("who goes to a button by Tab, or sends what was just typed, means it", () => {
  assert.ok(isMeant(down("Enter", 900), down("Tab", 800, { target: "row" })));
  assert.ok(isMeant(down("Enter", 900), down("x", 800)));
  assert.ok(isMeant(down("Enter", 900, { isModified: true }), down("x", 800)));
});
