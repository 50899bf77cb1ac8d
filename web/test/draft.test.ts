/** A draft moves with what is kept beside it, once, and only to where there is none. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { holdDraft, moveDraft } from "../src/ui/draft.ts";

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  globalThis.localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
});

const BESIDE = [".files"];

test("a draft and its files move", () => {
  kept.set("treadle.draft.one", "half a wo");
  kept.set("treadle.draft.one.files", "[1]");
  assert.equal(moveDraft("one", "two", BESIDE), true);
  assert.deepEqual(
    [...kept],
    [
      ["treadle.draft.two", "half a wo"],
      ["treadle.draft.two.files", "[1]"],
    ],
  );
  assert.equal(moveDraft("one", "two", BESIDE), false);
});

test("what is typed already where it would go stays, and so does the draft", () => {
  kept.set("treadle.draft.one", "old");
  kept.set("treadle.draft.two", "new");
  assert.equal(moveDraft("one", "two", BESIDE), false);
  assert.equal(kept.get("treadle.draft.one"), "old");
});

test("a draft that is being sent waits until it is known whether that was taken", () => {
  kept.set("treadle.draft.one", "on its way");
  const release = holdDraft("one");
  assert.equal(moveDraft("one", "two", BESIDE), false);
  release();
  assert.equal(moveDraft("one", "two", BESIDE), true);
});
