import assert from "node:assert/strict";
import { test } from "node:test";
import { actionFor, type KeyScope, keysOf } from "../src/keyboard/registry.ts";

function pressed(key: string, held: Partial<KeyboardEvent> = {}): string {
  return keysOf({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...held,
  } as KeyboardEvent);
}

function scope(name: string, ...keys: string[]): KeyScope {
  return {
    name,
    actions: keys.map((each) => ({ keys: each, label: `${name} ${each}`, run() {} })),
  };
}

test("keys are spelled alike, whatever the machine calls them", () => {
  assert.equal(pressed("k", { metaKey: true }), "Mod+k");
  assert.equal(pressed("K", { ctrlKey: true, shiftKey: true }), "Mod+Shift+k");
  assert.equal(pressed("?", { shiftKey: true }), "?");
  assert.equal(pressed("Enter", { shiftKey: true }), "Shift+Enter");
});

test("what came last goes first", () => {
  const scopes = [scope("page", "a", "j"), scope("card", "a")];
  assert.equal(actionFor(scopes, "a", "")?.label, "card a");
  assert.equal(actionFor(scopes, "j", "")?.label, "page j");
  assert.equal(actionFor(scopes, "x", ""), undefined);
});

test("a sequence goes before its second key alone", () => {
  const scopes = [scope("page", "i", "g i")];
  assert.equal(actionFor(scopes, "i", "g")?.label, "page g i");
  assert.equal(actionFor(scopes, "i", "")?.label, "page i");
});
