/** Texts that tests of diffs compare. */

import assert from "node:assert/strict";
import type { FilePatch } from "../src/diff/patch.ts";
import { textPatch } from "../src/diff/text_diff.ts";

/** Numbers that are the same in each run, and look like chance. */
function chance(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A file, and what somebody made of it: lines removed, added, changed and indented. */
export function edited(seed: number): readonly [string[], string[]] {
  const pick = chance(seed);
  const old = Array.from({ length: 5 + pick(60) }, (_, n) => `${" ".repeat(pick(4))}line ${n}`);
  const fresh = old.flatMap((line) => {
    switch (pick(8)) {
      case 0:
        return [];
      case 1:
        return [line, `added ${pick(9)}`];
      case 2:
        return [`changed ${pick(9)}`];
      case 3:
        return [`  ${line}`];
      default:
        return [line];
    }
  });
  return [old, fresh];
}

export function patchOf(old: readonly string[], fresh: readonly string[]): FilePatch {
  const found = textPatch(`${old.join("\n")}\n`, `${fresh.join("\n")}\n`);
  assert.ok(found);
  return found;
}
