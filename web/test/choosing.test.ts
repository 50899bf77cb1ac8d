import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { parsePatch } from "../src/diff/patch.ts";
import { moduleOf, rendered } from "./rendered.ts";

type Choosing = typeof import("../src/diff/useChoosing.ts");
type OnLines = Parameters<Choosing["useChoosing"]>[2];

const HUNKS = parsePatch(`diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -3,2 +3,2 @@
-three
+drei
 four
`).flatMap(({ hunks }) => hunks);

async function clicked(key: string, withCtrl: boolean, onLines: OnLines, canOpen = true) {
  const { useChoosing } = await moduleOf<Choosing>("diff/useChoosing.ts");
  const opened: number[] = [];
  const open = canOpen ? (line: number) => opened.push(line) : null;
  let found: { readonly onClick?: (event: never) => void } = {};
  rendered(
    createElement(function Probe() {
      found = useChoosing(HUNKS, null, onLines, open).listeners;
      return null;
    }),
    [],
  );
  const lines = {};
  const gutter = { dataset: { gutter: key }, closest: () => lines };
  const target = { closest: () => gutter };
  const event = { target, currentTarget: lines, ctrlKey: withCtrl, metaKey: false };
  found.onClick?.({ ...event, shiftKey: false } as never);
  return opened;
}

test("a click with Ctrl opens a line in an editor, also where nothing can be commented", async () => {
  const commented: string[] = [];
  const onLines: OnLines = (_range, key) => commented.push(key);
  assert.deepEqual(await clicked("N4", true, undefined), [4]);
  assert.deepEqual(await clicked("I3", true, onLines), [3]);
  assert.deepEqual(await clicked("D3", true, onLines), [3]);
  assert.deepEqual(await clicked("N4", false, undefined), []);
  assert.deepEqual(commented, []);
  assert.deepEqual(await clicked("I3", false, onLines), []);
  assert.deepEqual(await clicked("I3", true, onLines, false), []);
  assert.deepEqual(commented, ["I3", "I3"]);
});
