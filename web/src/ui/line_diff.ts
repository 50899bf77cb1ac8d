/** The lines that changed between two texts, with some around them; pure. */

import { structuredPatch } from "diff";

/** A line of a diff; `@` says where the lines after it are. */
export interface DiffLine {
  readonly sign: "+" | "-" | " " | "@";
  readonly text: string;
}

/** A diff with the number of its changed lines. */
export interface LineDiff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

const OPTIONS = { context: 3, maxEditLength: 1000, ignoreNewlineAtEof: true } as const;

/** Compare two texts by lines; beyond 1,000 edits the whole text is shown as replaced. */
export function lineDiff(oldText: string, newText: string): LineDiff {
  const patch = structuredPatch("", "", oldText, newText, "", "", OPTIONS);
  const lines = patch ? hunkLines(patch.hunks) : replaced(oldText, newText);
  const count = (sign: string) => lines.filter((line) => line.sign === sign).length;
  return { lines, added: count("+"), removed: count("-") };
}

interface Hunk {
  readonly newStart: number;
  readonly lines: readonly string[];
}

function hunkLines(hunks: readonly Hunk[]): readonly DiffLine[] {
  return hunks.flatMap(({ newStart, lines }) => [
    ...(newStart > 1 ? [{ sign: "@" as const, text: `line ${newStart}` }] : []),
    ...lines
      .filter((line) => !line.startsWith("\\"))
      .map((line) => ({ sign: line.charAt(0) as DiffLine["sign"], text: line.slice(1) })),
  ]);
}

function replaced(oldText: string, newText: string): readonly DiffLine[] {
  const side = (sign: "-" | "+", text: string): readonly DiffLine[] =>
    text === ""
      ? []
      : text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => ({ sign, text: line }));
  return [...side("-", oldText), ...side("+", newText)];
}
