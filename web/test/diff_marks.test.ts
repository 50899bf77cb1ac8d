/** What is marked in a change: colours, words, moved blocks; and which files are found in it. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { matchingFiles, treeRows } from "../src/diff/filter.ts";
import { keyOf, rowsOf } from "../src/diff/lines.ts";
import {
  coloursOf,
  editsOf,
  isTooLarge,
  replacedRuns,
  sheetsOf,
  textsOf,
} from "../src/diff/marks.ts";
import { changedLines, movedLines } from "../src/diff/moved.ts";
import { type FilePatch, parsePatch } from "../src/diff/patch.ts";
import { highlight } from "../src/ui/background/highlighting.ts";
import { KINDS } from "../src/ui/background/kinds.ts";
import { languageOf } from "../src/ui/background/languages.ts";
import { type ChangedLine, findMoves } from "../src/ui/background/moves.ts";
import { type Spans, spansOf } from "../src/ui/background/spans.ts";
import { wordEdits } from "../src/ui/background/words.ts";
import { patchOf } from "./diffing.ts";

function marked(spans: Spans, line: number, text: string): string[] {
  return spansOf(spans, line).map(
    ({ begin, end, kind }) => `${KINDS[kind]} ${text.slice(begin, end)}`,
  );
}

describe("words that changed", () => {
  const edits = (removed: string[], added: string[]) => {
    const [found] = wordEdits([{ removed, added }]);
    assert.ok(found);
    const texts = (spans: Spans, lines: string[]) =>
      lines.map((line, n) => spansOf(spans, n).map(({ begin, end }) => line.slice(begin, end)));
    return [texts(found.removed, removed), texts(found.added, added)];
  };

  test("are marked on both sides", () => {
    assert.deepEqual(edits(["return 401"], ["return 403 + 1"]), [[["401"]], [["403 + 1"]]]);
  });

  test("are those of the line that is like it, where a line came in between", () => {
    assert.deepEqual(edits(["total = price"], ["# the sum, with tax", "total = price * tax"]), [
      [[]],
      [[], [" * tax"]],
    ]);
  });

  test("are not marked in lines that have little in common, are empty or very long", () => {
    assert.deepEqual(edits(["import os"], ["class Shop:"]), [[[]], [[]]]);
    assert.deepEqual(edits([""], ["x"]), [[[]], [[]]]);
    assert.deepEqual(edits(["x".repeat(2000)], [`${"x".repeat(2000)}y`]), [[[]], [[]]]);
  });

  test("of a change are found by side and line", () => {
    const file = patchOf(["a", "return 401", "b"], ["a", "return 403", "b"]);
    const runs = replacedRuns(file.hunks);
    const found = editsOf(runs, wordEdits(textsOf(runs)));
    assert.deepEqual(
      found("new", 2).map(({ begin, end }) => [begin, end]),
      [[7, 10]],
    );
    assert.deepEqual(found("old", 9), []);
  });
});

describe("colours", () => {
  test("go on over lines, as in a string of several", () => {
    const text = 'x = """one\ntwo\n"""\ny = 1  # why';
    const [spans] = highlight("a.py", [text]) ?? [];
    assert.ok(spans);
    const lines = text.split("\n");
    assert.deepEqual(marked(spans, 1, lines[1] ?? ""), ["string two"]);
    assert.deepEqual(marked(spans, 3, lines[3] ?? ""), ["number 1", "comment # why"]);
    assert.deepEqual(spansOf(spans, 99), []);
  });

  test("are known by the name of a file", () => {
    const names = ["Dockerfile", "x/CMakeLists.txt", "a.tsx", "b.pyi", "go.mod", "makefile"];
    for (const name of names) {
      assert.ok(highlight(name, [""]), `${name}: ${languageOf(name)}`);
    }
    assert.equal(highlight("a.unknown", ["x"]), null);
    assert.equal(highlight("LICENSE", ["x"]), null);
  });

  test("of hunks are right where the whole file is known", () => {
    const old = ['"""', ...Array.from({ length: 30 }, (_, n) => `words ${n}`), '"""', "x = 1"];
    const fresh = old.with(15, "other words");
    const file = patchOf(old, fresh);
    const found = (whole: readonly string[] | null) => {
      const sheets = sheetsOf(file, whole);
      const spans =
        highlight(
          "a.py",
          sheets.map(({ text }) => text),
        ) ?? [];
      return coloursOf(sheets, spans)("new", 16).map(({ kind }) => KINDS[kind]);
    };
    assert.deepEqual(found(fresh), ["string"]);
    assert.deepEqual(found(null), []);
  });

  test("are not asked for of what is too large", () => {
    const file = patchOf(["a"], ["b"]);
    assert.ok(!isTooLarge(file, sheetsOf(file, ["b"])));
    assert.ok(isTooLarge(file, [{ side: "new", begin: 1, text: "x".repeat(1_000_001) }]));
    assert.ok(isTooLarge({ ...file, longest: 6000 }, []));
  });
});

describe("blocks that moved", () => {
  const block = ["def total(basket):", "    prices = map(price, basket)", "    return sum(prices)"];
  const side = (path: string, first: number, texts: string[], run = first): ChangedLine[] =>
    texts.map((text, n) => ({ path, line: first + n, run, text }));

  test("are found in another file, however they are indented", () => {
    const indented = block.map((line) => `    ${line}`);
    assert.deepEqual(findMoves(side("a.py", 10, block), side("b.py", 3, ["x", ...indented], 99)), [
      { fromPath: "a.py", fromLine: 10, toPath: "b.py", toLine: 4, count: 3 },
    ]);
  });

  test("are not what was indented in place, is short, or is brackets alone", () => {
    const indented = block.map((line) => `    ${line}`);
    assert.deepEqual(findMoves(side("a.py", 10, block, 1), side("a.py", 10, indented, 1)), []);
    assert.deepEqual(
      findMoves(side("a", 1, block.slice(1), 1), side("b", 1, block.slice(1), 2)),
      [],
    );
    const brackets = ["}", ")", "}", "]", "}"];
    assert.deepEqual(findMoves(side("a", 1, brackets, 1), side("b", 1, brackets, 2)), []);
  });

  test("are used once, and many alike lines take no time", () => {
    const twice = [...side("b.py", 1, block, 50), ...side("c.py", 1, block, 51)];
    assert.equal(findMoves(side("a.py", 1, block, 1), twice).length, 1);
    const many = Array.from({ length: 20_000 }, () => "return None  # the same everywhere");
    const began = performance.now();
    findMoves(side("a.py", 1, many, 1), side("b.py", 1, many, 2));
    assert.ok(performance.now() - began < 3000);
  });
});

test("removed lines lie beside those that came in their place", () => {
  const [two] = parsePatch(
    "diff --git a/t b/t\n--- a/t\n+++ b/t\n@@ -1,4 +1,3 @@\n-a\n-b\n+c\n e\n-f\n+g\n",
  );
  const rows = rowsOf(two?.hunks[0]?.changes ?? []);
  assert.deepEqual(
    rows.map((row) => row.map((change) => change && keyOf(change))),
    [
      ["D1", "I1"],
      ["D2", null],
      ["N3", "N3"],
      ["D4", "I3"],
    ],
  );
});

describe("files of a change", () => {
  const file = (path: string, text: string): FilePatch => ({
    ...patchOf(["a"], [text]),
    oldPath: path,
    newPath: path,
  });
  const files = [
    file("README.md", "x"),
    file("shop/cart.py", "TOTAL = 1"),
    file("shop/tax.py", "y"),
  ];
  const names = (text: string) => matchingFiles(files, text).map(({ newPath }) => newPath);

  test("are found by path, and by what changed in them", () => {
    assert.deepEqual(names(""), ["README.md", "shop/cart.py", "shop/tax.py"]);
    assert.deepEqual(names("shop py"), ["shop/cart.py", "shop/tax.py"]);
    assert.deepEqual(names("total ="), ["shop/cart.py"]);
    assert.deepEqual(names("y"), ["shop/cart.py", "shop/tax.py"]);
    assert.deepEqual(names("nowhere"), []);
  });

  test("may be called as what all objects have", () => {
    assert.equal(languageOf("a/constructor"), "constructor");
    assert.equal(languageOf("x.__proto__"), "__proto__");
    assert.equal(highlight("constructor", ["x = 1"]), null);
  });

  test("are rows below their folders, which close", () => {
    const rows = (closed: string[]) => treeRows(files, new Set(closed)).map(({ path }) => path);
    assert.deepEqual(rows([]), ["README.md", "shop/", "shop/cart.py", "shop/tax.py"]);
    assert.deepEqual(rows(["shop/"]), ["README.md", "shop/"]);
  });

  test("are below a folder that is there once, also where its files lie around another one's", () => {
    const paths = ["README.md", "a/b.py", "a/b/c.py", "a/d.py", "setup.py"];
    const some = paths.map((path) => ({ ...patchOf(["x"], ["y"]), oldPath: path, newPath: path }));
    const rows = treeRows(some, new Set());
    assert.deepEqual(
      rows.map(({ path }) => path),
      ["README.md", "setup.py", "a/", "a/b.py", "a/d.py", "a/b/", "a/b/c.py"],
    );
    assert.deepEqual(
      rows.flatMap((row) => (row.kind === "folder" ? row.files : [])),
      [2, 1],
    );
  });

  test("have lines that moved, each named on both sides", () => {
    const block = [
      "def total(basket):",
      "    prices = map(price, basket)",
      "    return sum(prices)",
    ];
    const one = { ...patchOf([...block, "x"], ["x"]), oldPath: "a.py", newPath: "a.py" };
    const two = { ...patchOf(["y"], ["y", ...block]), oldPath: "b.py", newPath: "b.py" };
    const moved = movedLines([one, two], findMoves(...changedLines([one, two])));
    assert.equal(moved.get("a.py")?.get("D1")?.words, "moved to b.py:2");
    assert.equal(moved.get("b.py")?.get("I2")?.words, "moved from a.py:1");
    assert.equal(moved.get("b.py")?.get("I3")?.words, "");
  });
});
