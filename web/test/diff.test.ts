/** What is shown of a change: lines around it, and it without spaces. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { firstLines } from "../src/diff/text_diff.ts";
import { withoutWhitespace } from "../src/diff/whitespace.ts";
import { before, expand, isOfPatch, linesOf, type Reveal } from "../src/diff/whole.ts";
import { edited, patchOf } from "./diffing.ts";

const SEEDS = Array.from({ length: 150 }, (_, seed) => seed);

describe("the patch of two texts", () => {
  test("names what was added and removed, with lines around it", () => {
    const old = Array.from({ length: 30 }, (_, n) => `line ${n}`);
    const file = patchOf(old, old.with(15, "changed").toSpliced(20, 0, "new"));
    assert.deepEqual([file.insertions, file.deletions], [2, 1]);
    assert.ok(file.lines < 16);
  });

  test("leads from the new text back to the old one", () => {
    for (const seed of SEEDS) {
      const [old, fresh] = edited(seed);
      const file = patchOf(old, fresh);
      assert.ok(isOfPatch(file, fresh), `seed ${seed}`);
      assert.deepEqual(before(file, fresh), old, `seed ${seed}`);
    }
  });

  test("of very different texts has all as replaced, soon", () => {
    const many = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`);
    const began = performance.now();
    assert.equal(patchOf(many("a"), many("b")).insertions, 20_000);
    assert.ok(performance.now() - began < 3000);
  });

  test("is cut to its first lines", () => {
    const file = patchOf(
      [],
      Array.from({ length: 90 }, (_, n) => `${n}`),
    );
    assert.equal(firstLines(file, 40).hunks[0]?.changes.length, 40);
  });
});

describe("lines around a change", () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n + 1}`);
  const file = patchOf(lines, lines.with(29, "changed").with(69, "changed too"));
  const now = lines.with(29, "changed").with(69, "changed too");
  const shown = (reveals: readonly (readonly [number, Reveal])[]) =>
    expand(file.hunks, now, new Map(reveals));

  test("are left out with their number, also behind the last one", () => {
    const { hunks, gaps } = shown([]);
    assert.equal(hunks.length, 2);
    assert.deepEqual(
      gaps.map((gap) => gap?.lines),
      [26, 33, 27],
    );
    assert.deepEqual(expand(file.hunks, null, new Map()).gaps.at(-1), { number: 2, lines: null });
  });

  test("come above and below, twenty at a time", () => {
    const { hunks, gaps } = shown([[1, { top: 20, bottom: 0 }]]);
    assert.equal(hunks[0]?.changes.at(-1)?.content, "line 53");
    assert.equal(gaps[1]?.lines, 13);
    const up = shown([[0, { top: 0, bottom: 20 }]]);
    assert.equal(up.hunks[0]?.changes[0]?.content, "line 7");
    assert.deepEqual([up.hunks[0]?.oldStart, up.hunks[0]?.newStart], [7, 7]);
  });

  test("join two hunks where nothing is left between them", () => {
    const { hunks, gaps } = shown([[1, { top: 20, bottom: 13 }]]);
    assert.equal(hunks.length, 1);
    assert.deepEqual(
      gaps.map((gap) => gap?.number),
      [0, 2],
    );
  });

  test("are the whole file with its true numbers where all are shown", () => {
    const all = { top: 1000, bottom: 0 };
    for (const seed of SEEDS) {
      const [old, fresh] = edited(seed);
      const of = patchOf(old, fresh);
      if (of.hunks.length === 0) {
        continue;
      }
      const reveals = new Map(of.hunks.map((_, n): [number, Reveal] => [n + 1, all]));
      reveals.set(0, { top: 0, bottom: 1000 });
      const { hunks, gaps } = expand(of.hunks, fresh, reveals);
      assert.equal(hunks.length, 1, `seed ${seed}`);
      assert.ok(gaps.every((gap) => gap === null));
      for (const change of hunks[0]?.changes ?? []) {
        if (change.type !== "insert") {
          const line = change.type === "normal" ? change.oldLineNumber : change.lineNumber;
          assert.equal(old[line - 1], change.content, `seed ${seed}`);
        }
        if (change.type !== "delete") {
          const line = change.type === "normal" ? change.newLineNumber : change.lineNumber;
          assert.equal(fresh[line - 1], change.content, `seed ${seed}`);
        }
      }
    }
  });

  test("are not those of another file", () => {
    assert.ok(!isOfPatch(file, lines));
    assert.deepEqual(linesOf("a\nb\n"), ["a", "b"]);
    assert.deepEqual(linesOf("a\nb"), ["a", "b"]);
  });
});

describe("a change without spaces", () => {
  test("has lines that differ in more, with their true numbers", () => {
    for (const seed of SEEDS) {
      const [old, fresh] = edited(seed);
      const quiet = withoutWhitespace(patchOf(old, fresh));
      const bare = (text: string) => text.replace(/\s+/g, "");
      for (const change of quiet.hunks.flatMap(({ changes }) => changes)) {
        if (change.type === "normal") {
          assert.equal(change.content, fresh[change.newLineNumber - 1]);
          assert.equal(bare(change.content), bare(old[change.oldLineNumber - 1] ?? ""));
        } else {
          const side = change.type === "insert" ? fresh : old;
          assert.equal(side[change.lineNumber - 1], change.content);
        }
      }
      assert.ok(isOfPatch(quiet, fresh), `seed ${seed}`);
    }
  });

  test("of spaces alone has no hunk, and is known by the same hash", () => {
    const file = patchOf(["if a:", "b", "c"], ["if a:", "    b", "\tc"]);
    const quiet = withoutWhitespace(file);
    assert.deepEqual([quiet.hunks.length, quiet.insertions, quiet.hash], [0, 0, file.hash]);
  });
});
