/** Where the lines of a change have colours and words that changed, as the page's worker found it; pure. */

import { type Span, type Spans, spansOf } from "../ui/background/spans.ts";
import type { Run, WordEdits } from "../ui/background/words.ts";
import { type ChangeRun, runsOf, type Side } from "./lines.ts";
import type { Change, FilePatch, Hunk } from "./patch.ts";
import { before } from "./whole.ts";

/** What is marked in a line, by its side and number. */
export type Marked = (side: Side, line: number) => readonly Span[];

const NONE: readonly Span[] = [];

/** Nothing is marked. */
export const UNMARKED: Marked = () => NONE;

/** A text that is coloured as one, and the line that it begins at. */
export interface Sheet {
  readonly side: Side;
  readonly begin: number;
  readonly text: string;
}

/** More characters of one file stay plain. */
export const MOST_COLOURED = 1_000_000;

/** A longer line, as minified code has it, takes a grammar too long. */
export const LONGEST_COLOURED = 5_000;

/** Return the texts to colour: both sides of the whole file, else what the hunks show of them. */
export function sheetsOf(file: FilePatch, whole: readonly string[] | null): readonly Sheet[] {
  if (whole !== null) {
    const old = file.kind === "add" ? [] : before(file, whole);
    return [
      { side: "old", begin: 1, text: old.join("\n") },
      { side: "new", begin: 1, text: whole.join("\n") },
    ];
  }
  return file.hunks.flatMap((hunk): Sheet[] => [
    { side: "old", begin: hunk.oldStart, text: textOf(hunk, "insert") },
    { side: "new", begin: hunk.newStart, text: textOf(hunk, "delete") },
  ]);
}

function textOf(hunk: Hunk, without: Change["type"]): string {
  return hunk.changes
    .filter(({ type }) => type !== without)
    .map(({ content }) => content)
    .join("\n");
}

/** Tell whether a file is too large to colour. */
export function isTooLarge(file: FilePatch, sheets: readonly Sheet[]): boolean {
  const size = sheets.reduce((all, { text }) => all + text.length, 0);
  return size > MOST_COLOURED || file.longest > LONGEST_COLOURED;
}

/** Return the colours of lines, from those of the sheets. */
export function coloursOf(sheets: readonly Sheet[], found: readonly Spans[]): Marked {
  const sides: Record<Side, { readonly begin: number; readonly spans: Spans }[]> = {
    old: [],
    new: [],
  };
  sheets.forEach(({ side, begin }, index) => {
    const spans = found[index];
    if (spans !== undefined) {
      sides[side].push({ begin, spans });
    }
  });
  return (side, line) => {
    const sheet = sides[side].findLast(({ begin }) => begin <= line);
    return sheet === undefined ? NONE : spansOf(sheet.spans, line - sheet.begin);
  };
}

/** Return the runs in which lines took the place of others. */
export function replacedRuns(hunks: readonly Hunk[]): readonly ChangeRun[] {
  return hunks
    .flatMap(({ changes }) => runsOf(changes))
    .filter(({ removed, added }) => removed.length > 0 && added.length > 0);
}

/** Return runs as the worker compares them. */
export function textsOf(runs: readonly ChangeRun[]): Run[] {
  const texts = (changes: readonly Change[]) => changes.map(({ content }) => content);
  return runs.map(({ removed, added }) => ({ removed: texts(removed), added: texts(added) }));
}

/** Return what changed within lines, by their numbers. */
export function editsOf(runs: readonly ChangeRun[], found: readonly WordEdits[]): Marked {
  const sides: Record<Side, Map<number, readonly Span[]>> = { old: new Map(), new: new Map() };
  runs.forEach(({ removed, added }, number) => {
    const edits = found[number];
    removed.forEach(({ lineNumber }, index) => {
      sides.old.set(lineNumber, edits ? spansOf(edits.removed, index) : NONE);
    });
    added.forEach(({ lineNumber }, index) => {
      sides.new.set(lineNumber, edits ? spansOf(edits.added, index) : NONE);
    });
  });
  return (side, line) => sides[side].get(line) ?? NONE;
}
