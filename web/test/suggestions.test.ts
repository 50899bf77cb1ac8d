/** Comments on several lines, and what they suggest. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { rangeBetween, textIn } from "../src/diff/lines.ts";
import { parsePatch } from "../src/diff/patch.ts";
import {
  type Draft,
  draftsOf,
  linesOf,
  onLines,
  sentOf,
  withDraft,
  withoutDraft,
} from "../src/tasks/review/comments.ts";
import { partsOf, suggestionOf, suggestionsIn } from "../src/tasks/review/suggestions.ts";

const [file] = parsePatch(
  "diff --git a/t b/t\n--- a/t\n+++ b/t\n@@ -1,4 +1,5 @@\n one\n-two\n+zwei\n+drei\n four\n five\n",
);
const hunks = file?.hunks ?? [];

describe("lines", () => {
  test("are chosen from one to another, whichever comes first, on one side", () => {
    assert.deepEqual(rangeBetween(hunks, "I2", "N3"), { side: "new", first: 2, last: 4 });
    assert.deepEqual(rangeBetween(hunks, "N3", "I2"), { side: "new", first: 2, last: 4 });
    assert.deepEqual(rangeBetween(hunks, "D2", "I3"), { side: "old", first: 2, last: 2 });
    assert.equal(rangeBetween(hunks, "I2", "I99"), null);
  });

  test("have their text where all of them are shown", () => {
    assert.equal(textIn(hunks, { side: "new", first: 2, last: 4 }), "zwei\ndrei\nfour");
    assert.equal(textIn(hunks, { side: "old", first: 1, last: 2 }), "one\ntwo");
    assert.equal(textIn(hunks, { side: "new", first: 2, last: 99 }), null);
  });
});

describe("drafts", () => {
  test("are kept by path, whatever a file is called", () => {
    for (const path of ["toString", "constructor", "a.py"]) {
      const draft: Draft = { id: "1", path, side: "new", line: 2, text: "why?", commit: "c" };
      const kept = withDraft({}, draft);
      assert.deepEqual(draftsOf(kept, path), [draft]);
      assert.deepEqual(withoutDraft(kept, draft), {});
      assert.deepEqual(withoutDraft({}, draft), {});
    }
  });
});

describe("suggestions", () => {
  const draft = (text: string, more: Partial<Draft> = {}): Draft => ({
    id: "1",
    path: "t",
    side: "new",
    line: 4,
    first: 2,
    text,
    commit: "c1",
    ...more,
  });

  test("are blocks of a comment, beside its words", () => {
    const text = `Shorter:\n\n${suggestionOf("a\nb")}\n\nThanks.`;
    assert.deepEqual(
      partsOf(text).map(({ kind, text: words }) => [kind, words?.trim()]),
      [
        ["words", "Shorter:"],
        ["suggestion", "a\nb"],
        ["words", "Thanks."],
      ],
    );
  });

  test("hold fences of their own, and take lines out where they are empty", () => {
    const inner = "```py\nx\n```";
    assert.deepEqual(partsOf(suggestionOf(inner)), [{ kind: "suggestion", text: inner }]);
    assert.deepEqual(partsOf("```suggestion\n```"), [{ kind: "suggestion", text: null }]);
    assert.deepEqual(partsOf("```suggestion\n\n```"), [{ kind: "suggestion", text: "" }]);
    assert.deepEqual(partsOf("```suggestion\nno end")[0]?.kind, "words");
    assert.deepEqual(partsOf("```py\nx\n```")[0]?.kind, "words");
  });

  test("are of the commit that is shown, of its own side, and one to a comment", () => {
    const block = suggestionOf("x");
    assert.deepEqual(suggestionsIn([draft(block)], "c1"), [
      { path: "t", first: 2, last: 4, text: "x" },
    ]);
    assert.deepEqual(suggestionsIn([draft(block)], "c2"), []);
    assert.deepEqual(suggestionsIn([draft(block, { side: "old" })], "c1"), []);
    assert.deepEqual(suggestionsIn([draft(`${block}\n${block}`)], "c1"), []);
    assert.deepEqual(suggestionsIn([draft("words")], "c1"), []);
  });

  test("go with a comment on several lines, which says where it begins", () => {
    assert.deepEqual(sentOf({ t: [draft("why?")] }), [
      { path: "t", line: 4, first: 2, side: "new", text: "why?" },
    ]);
    assert.deepEqual(sentOf({ t: [draft("why?", { first: 4 })] }), [
      { path: "t", line: 4, side: "new", text: "why?" },
    ]);
    assert.equal(linesOf(draft("")), "2-4");
    assert.equal(linesOf({ line: 4, first: null }), "4");
    assert.equal(onLines(draft("")), "lines 2-4");
    assert.equal(onLines({ line: 4, first: null }), "line 4");
  });
});
