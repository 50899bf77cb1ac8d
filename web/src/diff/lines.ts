/** How the lines of a file are cut into parts, paired and marked before they are drawn; pure. */

import type { Change, Hunk } from "./patch.ts";

/** Lines of a part; small enough to be drawn without anybody noticing. */
export const PART_LINES = 50;

/** More characters than this of one line are shown on demand. */
export const LINE_CHARACTERS = 2000;

/** Up to so many lines everything is in the page, so that the browser's own search finds it. */
export const WHOLE_LINES = 10_000;

/** Which file a line is of: the one before the change, or after it. */
export type Side = "old" | "new";

/** A place in a change. */
export interface Place {
  readonly side: Side;
  readonly line: number;
}

/** Lines of one side, from the first to the last. */
export interface LineRange {
  readonly side: Side;
  readonly first: number;
  readonly last: number;
}

/** Some lines of one hunk; the first part of a hunk tells what the hunk is about. */
export interface Part {
  readonly key: string;
  readonly hunk: Hunk;
  /** The hunk ends with it. */
  readonly isEnd: boolean;
  /** How many lines of the file are in front of it. */
  readonly before: number;
  readonly title: string | null;
  /** The first line that changed, by its key. */
  readonly first: string | null;
}

/** Cut the hunks of a file into parts. */
export function partsOf(hunks: readonly Hunk[]): Part[] {
  let before = 0;
  return hunks.flatMap((hunk, index) => {
    const parts: Part[] = [];
    for (let begin = 0; begin < Math.max(1, hunk.changes.length); begin += PART_LINES) {
      const changes = hunk.changes.slice(begin, begin + PART_LINES);
      const first = changes.find((change) => change.type !== "normal") ?? changes[0];
      parts.push({
        key: `${index}.${begin}`,
        isEnd: begin + PART_LINES >= hunk.changes.length,
        hunk: begin === 0 && changes.length === hunk.changes.length ? hunk : { ...hunk, changes },
        before,
        title: begin === 0 ? titleOf(hunk) : null,
        first: first === undefined ? null : keyOf(first),
      });
      before += changes.length;
    }
    return parts;
  });
}

function titleOf(hunk: Hunk): string {
  const start = hunk.newLines > 0 ? hunk.newStart : hunk.oldStart;
  const count = hunk.newLines > 0 ? hunk.newLines : hunk.oldLines;
  const lines = count > 1 ? `Lines ${start}–${start + count - 1}` : `Line ${start}`;
  return hunk.content === "" ? lines : `${lines} · ${hunk.content}`;
}

/** Name a line within its file. */
export function keyOf(change: Change): string {
  switch (change.type) {
    case "insert":
      return `I${change.lineNumber}`;
    case "delete":
      return `D${change.lineNumber}`;
    case "normal":
      return `N${change.oldLineNumber}`;
  }
}

/** Where a comment on a line is about. */
export function placeOf(change: Change): Place {
  switch (change.type) {
    case "insert":
      return { side: "new", line: change.lineNumber };
    case "delete":
      return { side: "old", line: change.lineNumber };
    case "normal":
      return { side: "new", line: change.newLineNumber };
  }
}

/** Tell whether a place is on a line. */
export function isAt(change: Change, place: Place): boolean {
  if (change.type === "normal") {
    return place.line === (place.side === "new" ? change.newLineNumber : change.oldLineNumber);
  }
  return (change.type === "insert") === (place.side === "new") && change.lineNumber === place.line;
}

/** What two columns have side by side: the line before, and the one now. */
export type Row = readonly [Change | null, Change | null];

/** Lay removed lines beside those that came in their place. */
export function rowsOf(changes: readonly Change[]): Row[] {
  return runsOf(changes).flatMap(({ kept, removed, added }): Row[] =>
    kept !== null
      ? [[kept, kept]]
      : Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => [
          removed[index] ?? null,
          added[index] ?? null,
        ]),
  );
}

/** A line that did not change, or removed lines with those that came in their place. */
export interface ChangeRun {
  readonly kept: Unchanged | null;
  readonly removed: readonly Removed[];
  readonly added: readonly Added[];
}

type Unchanged = Extract<Change, { type: "normal" }>;
type Removed = Extract<Change, { type: "delete" }>;
type Added = Extract<Change, { type: "insert" }>;

/** Cut changes into runs. */
export function runsOf(changes: readonly Change[]): ChangeRun[] {
  const runs: ChangeRun[] = [];
  let [removed, added]: [Removed[], Added[]] = [[], []];
  const close = () => {
    if (removed.length + added.length > 0) {
      runs.push({ kept: null, removed, added });
      [removed, added] = [[], []];
    }
  };
  for (const change of changes) {
    if (change.type === "insert") {
      added.push(change);
    } else {
      if (change.type === "normal" || added.length > 0) {
        close();
      }
      if (change.type === "delete") {
        removed.push(change);
      } else {
        runs.push({ kept: change, removed: [], added: [] });
      }
    }
  }
  close();
  return runs;
}

/** The number of a line on a side; null where it is not on that side. */
export function numberOn(change: Change, side: Side): number | null {
  if (change.type === "normal") {
    return side === "old" ? change.oldLineNumber : change.newLineNumber;
  }
  return (change.type === "insert") === (side === "new") ? change.lineNumber : null;
}

/** Tell whether a line is in a range. */
export function isIn(change: Change, range: LineRange): boolean {
  const line = numberOn(change, range.side);
  return line !== null && range.first <= line && line <= range.last;
}

/** Return the lines between two, both included, on the side of the first of them. */
export function rangeBetween(hunks: readonly Hunk[], one: string, other: string): LineRange | null {
  const changes = hunks.flatMap((hunk) => hunk.changes);
  const from = changes.findIndex((change) => keyOf(change) === one);
  const to = changes.findIndex((change) => keyOf(change) === other);
  const start = changes[from];
  if (start === undefined || to < 0) {
    return null;
  }
  const { side } = placeOf(start);
  const lines = changes
    .slice(Math.min(from, to), Math.max(from, to) + 1)
    .flatMap((change) => numberOn(change, side) ?? []);
  return { side, first: Math.min(...lines), last: Math.max(...lines) };
}

/** Return the number that a line has after the change; a removed one has that of the line that is next to it then. */
export function lineNow(hunks: readonly Hunk[], key: string): number | null {
  const isOf = (change: Change) => keyOf(change) === key;
  const hunk = hunks.find(({ changes }) => changes.some(isOf));
  if (hunk === undefined) {
    return null;
  }
  const at = hunk.changes.findIndex(isOf);
  const numberOf = (change: Change) => numberOn(change, "new") ?? [];
  const [below] = hunk.changes.slice(at).flatMap(numberOf);
  return below ?? hunk.changes.slice(0, at).flatMap(numberOf).at(-1) ?? Math.max(1, hunk.newStart);
}

/** Return the text of lines of a side; null where not all of them are shown. */
export function textIn(hunks: readonly Hunk[], { side, first, last }: LineRange): string | null {
  const lines = hunks
    .flatMap(({ changes }) => changes)
    .filter((change) => isIn(change, { side, first, last }))
    .map(({ content }) => content);
  return lines.length === last - first + 1 ? lines.join("\n") : null;
}
