/** The change between two texts, as a patch of one file; pure. */

import { structuredPatch } from "diff";
import { type FilePatch, parsePatch } from "./patch.ts";

const OPTIONS = { context: 3, maxEditLength: 1000, ignoreNewlineAtEof: true } as const;

/** Compare two texts by lines; beyond 1,000 edits the whole text is shown as replaced. */
export function textPatch(oldText: string, newText: string): FilePatch | null {
  const patch = structuredPatch("", "", oldText, newText, "", "", OPTIONS);
  const hunks = patch?.hunks ?? [replaced(oldText, newText)];
  const text = hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${at(oldStart, oldLines)} +${at(newStart, newLines)} @@`, ...lines].join("\n"),
    )
    .join("\n");
  return parsePatch(`diff --git a/text b/text\n${text}\n`)[0] ?? null;
}

/** Where no lines are, a patch names the one before. */
function at(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

/** Return a patch without the lines behind the first so many. */
export function firstLines(file: FilePatch, most: number): FilePatch {
  let left = most;
  const hunks = file.hunks.flatMap((hunk) => {
    const changes = hunk.changes.slice(0, left);
    left -= changes.length;
    return changes.length === 0 ? [] : [{ ...hunk, changes }];
  });
  return { ...file, hunks };
}

function replaced(oldText: string, newText: string) {
  const lines = (sign: "-" | "+", text: string) =>
    text === ""
      ? []
      : text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => sign + line);
  const [old, fresh] = [lines("-", oldText), lines("+", newText)];
  return {
    oldStart: 1,
    oldLines: old.length,
    newStart: 1,
    newLines: fresh.length,
    lines: [...old, ...fresh],
  };
}
