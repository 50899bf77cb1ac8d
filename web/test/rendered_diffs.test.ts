/** Pictures, Markdown and notebooks before and after. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { renderedKind } from "../src/diff/rendered/kinds.ts";
import { blockRuns } from "../src/diff/rendered/markdown_changes.ts";
import { changedCells, readNotebook } from "../src/diff/rendered/notebooks.ts";
import { bytesOf, canBeDrawn, sizeOf, vectorAddress } from "../src/diff/rendered/pictures.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("pictures", () => {
  test("say how large they are", () => {
    assert.deepEqual(sizeOf(bytesOf(PNG)), { width: 1, height: 1 });
    const gif = new Uint8Array([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x10, 0, 0x20, 0]);
    assert.deepEqual(sizeOf(gif), { width: 16, height: 32 });
    const jpeg = new Uint8Array([
      0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, 0, 0x20, 0, 0x10, 3, 0, 0, 0,
    ]);
    assert.deepEqual(sizeOf(jpeg), { width: 16, height: 32 });
    assert.equal(sizeOf(new Uint8Array([0xff, 0xd8, 0xff])), null);
    assert.equal(sizeOf(new Uint8Array([])), null);
  });

  test("that are no base64 have no size", () => {
    for (const odd of ["A", "AAAAA", "AA=====", "iVBORw0KGgo\u00e4"]) {
      assert.equal(canBeDrawn(sizeOf(bytesOf(odd))), false);
    }
  });

  test("of too many pixels, or of no size, are not drawn", () => {
    assert.ok(canBeDrawn({ width: 4000, height: 3000 }));
    assert.ok(!canBeDrawn({ width: 60_000, height: 60_000 }));
    assert.ok(!canBeDrawn(null));
  });

  test("in SVG are data, and not too long", () => {
    assert.match(vectorAddress("<svg>ä</svg>") ?? "", /^data:image\/svg\+xml;base64,/);
    assert.equal(vectorAddress("x".repeat(500_001)), null);
  });

  test("and what else can be seen are known by their names", () => {
    const names = ["a/Logo.PNG", "b.svg", "README.md", "x.ipynb", "a.py", "md", "constructor"];
    assert.deepEqual(names.map(renderedKind), [
      "picture",
      "picture",
      "markdown",
      "notebook",
      null,
      "markdown",
      null,
    ]);
  });
});

describe("Markdown", () => {
  test("is compared by its blocks", () => {
    const before = "# Shop\n\nOne.\n\n- a\n- b\n";
    const after = "# Shop\n\nTwo.\n\n- a\n- b\n";
    assert.deepEqual(blockRuns(before, after), [
      { kind: "same", text: "# Shop" },
      { kind: "removed", text: "One." },
      { kind: "added", text: "Two." },
      { kind: "same", text: "- a\n- b" },
    ]);
  });
});

describe("a notebook", () => {
  const code = (source: string | string[], outputs: object[] = []) => ({
    cell_type: "code",
    source,
    outputs,
  });
  const notebook = (...cells: object[]) => {
    const read = readNotebook(
      JSON.stringify({ cells, metadata: { kernelspec: { language: "python" } } }),
    );
    assert.ok(read);
    return read;
  };

  test("has cells, of which those that changed are shown side by side", () => {
    const before = notebook(code("a = 1"), code(["b = 1\n", "c = 2"]), code("same"));
    const after = notebook(code("a = 2"), code(["b = 1\n", "c = 2"]), code("same"), code("new"));
    assert.deepEqual(
      changedCells(before, after).map((one) => [one.before?.source, one.after?.source]),
      [
        ["a = 1", "a = 2"],
        [undefined, "new"],
      ],
    );
  });

  test("shows text and pictures of outputs, and never HTML", () => {
    const outputs = [
      { output_type: "stream", text: ["hi\n"] },
      { data: { "image/png": PNG, "text/plain": "<Figure>" } },
      { data: { "text/html": "<script>x()</script>", "text/plain": "a table" } },
      { data: { "text/html": "<script>x()</script>" } },
      { data: { "image/png": "javascript:x()" } },
    ];
    const found = notebook(code("x", outputs)).cells[0]?.outputs ?? [];
    assert.deepEqual(
      found.map(({ kind, text }) => [kind, kind === "png" ? "" : text]),
      [
        ["text", "hi\n"],
        ["png", ""],
        ["text", "a table"],
        ["other", "text/html"],
        ["other", "image/png"],
      ],
    );
  });

  test("that is none, or has odd cells, breaks nothing", () => {
    assert.equal(readNotebook("{"), null);
    assert.equal(readNotebook("[]"), null);
    assert.equal(readNotebook('{"cells": 1}'), null);
    assert.deepEqual(notebook({}, { cell_type: 7, source: { a: 1 } }).cells, [
      { kind: "code", source: "", outputs: [] },
      { kind: "code", source: "", outputs: [] },
    ]);
  });
});
