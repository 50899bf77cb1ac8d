/** How the lines of a file are cut into parts, paired and marked before they are drawn; pure. */

import type { Change, FilePatch, Hunk } from "./patch.ts";

/** Lines of a part; small enough to be drawn without anybody noticing. */
export const PART_LINES = 200;

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

/** Some lines of one hunk; the first part of a hunk tells what the hunk is about. */
export interface Part {
  readonly key: string;
  readonly hunk: Hunk;
  /** How many lines of the file are in front of it. */
  readonly before: number;
  readonly title: string | null;
  /** The first line that changed, by its key. */
  readonly first: string | null;
}

/** Cut the hunks of a file into parts. */
export function partsOf(file: FilePatch): Part[] {
  let before = 0;
  return file.hunks.flatMap((hunk, index) => {
    const parts: Part[] = [];
    for (let begin = 0; begin < Math.max(1, hunk.changes.length); begin += PART_LINES) {
      const changes = hunk.changes.slice(begin, begin + PART_LINES);
      const first = changes.find((change) => change.type !== "normal") ?? changes[0];
      parts.push({
        key: `${index}.${begin}`,
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

/** Name a line as react-diff-view does. */
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

/** Lay removed lines beside those that came in their place, as two columns need it. */
export function paired(hunk: Hunk): Hunk {
  const changes: Change[] = [];
  for (const [removed, added] of runs(hunk.changes)) {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      for (const change of [removed[index], added[index]]) {
        if (change !== undefined) {
          changes.push(change);
        }
      }
    }
  }
  return { ...hunk, changes };
}

/** Yield the changes in runs of removed lines and those behind them; others come alone. */
function* runs(changes: readonly Change[]): Generator<[readonly Change[], readonly Change[]]> {
  let index = 0;
  while (index < changes.length) {
    const begin = index;
    while (changes[index]?.type === "delete") {
      index++;
    }
    const middle = index;
    while (changes[index]?.type === "insert") {
      index++;
    }
    if (index === begin) {
      index++;
      yield [changes.slice(begin, index), []];
    } else {
      yield [changes.slice(begin, middle), changes.slice(middle, index)];
    }
  }
}

/** A piece of a line, in the shape that react-diff-view draws. */
export interface Token {
  readonly type: "text" | "edit" | "cut";
  readonly value: string;
}

/** The pieces of lines by side and number; lines that need none are left out. */
export interface Tokens {
  readonly old: Token[][];
  readonly new: Token[][];
}

/**
 * Return the pieces of the lines of a hunk: what changed within a line, and long lines cut.
 *
 * `isOdd` tells which texts have to be drawn with care; they become one piece at least.
 */
export function tokensOf(hunk: Hunk, isWhole: boolean, isOdd: (text: string) => boolean): Tokens {
  const tokens: Tokens = { old: [], new: [] };
  const put = (side: Side, line: number, pieces: Token[]) => {
    tokens[side][line - 1] = pieces;
  };
  const plain = (change: Change) => {
    const text = change.content;
    const isLong = !isWhole && text.length > LINE_CHARACTERS;
    if (!isLong && !isOdd(text)) {
      return;
    }
    const pieces: Token[] = isLong
      ? [
          { type: "text", value: text.slice(0, LINE_CHARACTERS) },
          { type: "cut", value: `… ${text.length - LINE_CHARACTERS} characters more` },
        ]
      : [{ type: "text", value: text }];
    if (change.type === "normal") {
      put("old", change.oldLineNumber, pieces);
      put("new", change.newLineNumber, pieces);
    } else {
      put(change.type === "insert" ? "new" : "old", change.lineNumber, pieces);
    }
  };
  for (const [removed, added] of runs(hunk.changes)) {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      const before = removed[index];
      const after = added[index];
      const edits = before && after ? editsOf(before.content, after.content) : null;
      if (edits && before?.type === "delete" && after?.type === "insert") {
        put("old", before.lineNumber, edits[0]);
        put("new", after.lineNumber, edits[1]);
      } else {
        for (const change of [before, after]) {
          if (change !== undefined) {
            plain(change);
          }
        }
      }
    }
  }
  return tokens;
}

/** Return two lines with what differs between them marked; null where they have too little in common. */
function editsOf(before: string, after: string): [Token[], Token[]] | null {
  const most = Math.min(before.length, after.length);
  if (most === 0 || Math.max(before.length, after.length) > LINE_CHARACTERS) {
    return null;
  }
  let head = 0;
  while (head < most && before[head] === after[head]) {
    head++;
  }
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) {
    tail++;
  }
  if ((head + tail) * 2 < most || head + tail === 0) {
    return null;
  }
  const cut = (text: string): Token[] =>
    [
      { type: "text" as const, value: text.slice(0, head) },
      { type: "edit" as const, value: text.slice(head, text.length - tail) },
      { type: "text" as const, value: text.slice(text.length - tail) },
    ].filter((token) => token.value !== "");
  return [cut(before), cut(after)];
}
