/** What a whole file adds to its patch: lines between the hunks, and the file before the change; pure. */

import type { Change, FilePatch, Hunk } from "./patch.ts";

/** So many lines come at a time. */
export const STEP_LINES = 20;

/** How many lines of a gap are shown: below what is above it, and above what is below it. */
export interface Reveal {
  readonly top: number;
  readonly bottom: number;
}

/** Where lines are left out, before the hunk of the same number or behind the last one. */
export interface Gap {
  readonly number: number;
  /** How many lines; null as long as nobody knows how long the file is. */
  readonly lines: number | null;
}

/** Hunks that hold what is shown beside the changed lines, and the gaps that are left between them. */
export interface Expanded {
  readonly hunks: readonly Hunk[];
  /** The gap before each of them, and the one behind the last; null where nothing is left out. */
  readonly gaps: readonly (Gap | null)[];
}

/** Return the lines of a text as patches count them. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** The first line of a hunk in the file after the change, and the one behind it. */
function spanOf(hunk: Hunk): readonly [number, number] {
  const begin = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart;
  return [begin, begin + hunk.newLines];
}

function oldBegin(hunk: Hunk): number {
  return hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart;
}

/** Tell whether a text is the file after the change: all that the patch shows of it is there. */
export function isOfPatch(file: FilePatch, lines: readonly string[]): boolean {
  return file.hunks.every((hunk) =>
    hunk.changes.every(
      (change) =>
        change.type === "delete" ||
        lines[(change.type === "insert" ? change.lineNumber : change.newLineNumber) - 1] ===
          change.content,
    ),
  );
}

/** Return the file before the change, from the one after it. */
export function before(file: FilePatch, lines: readonly string[]): string[] {
  const old: string[] = [];
  let next = 1;
  for (const hunk of file.hunks) {
    const [begin, end] = spanOf(hunk);
    old.push(...lines.slice(next - 1, begin - 1));
    for (const change of hunk.changes) {
      if (change.type !== "insert") {
        old.push(change.content);
      }
    }
    next = end;
  }
  old.push(...lines.slice(next - 1));
  return old;
}

/** Join hunks with what is shown of the gaps around them; `lines` is null until the file is read. */
export function expand(
  hunks: readonly Hunk[],
  lines: readonly string[] | null,
  reveals: ReadonlyMap<number, Reveal>,
): Expanded {
  const joined: Hunk[] = [];
  const gaps: (Gap | null)[] = [];
  let [next, shift] = [1, 0];
  for (const [number, hunk] of hunks.entries()) {
    const [begin, end] = spanOf(hunk);
    shift = oldBegin(hunk) - begin;
    const [top, bottom] = shownOf(begin - next, lines === null ? undefined : reveals.get(number));
    const above = joined.at(-1);
    const isClosed = top + bottom === begin - next;
    const head = contextOf(lines, begin - bottom, begin, shift);
    if (above !== undefined && isClosed) {
      const tail = contextOf(lines, next, next + top, shift);
      joined[joined.length - 1] = merged(above, [...tail, ...head, ...hunk.changes]);
    } else {
      if (above !== undefined) {
        joined[joined.length - 1] = merged(above, contextOf(lines, next, next + top, shift));
      }
      gaps.push(isClosed ? null : { number, lines: begin - next - top - bottom });
      joined.push(merged(hunk, hunk.changes, head));
    }
    next = end;
    shift += hunk.oldLines - hunk.newLines;
  }
  return closed(joined, gaps, next, shift, hunks.length, lines, reveals);
}

/** Add what is behind the last hunk. */
function closed(
  joined: Hunk[],
  gaps: (Gap | null)[],
  next: number,
  shift: number,
  number: number,
  lines: readonly string[] | null,
  reveals: ReadonlyMap<number, Reveal>,
): Expanded {
  const last = joined.at(-1);
  if (lines === null || last === undefined) {
    return { hunks: joined, gaps: [...gaps, { number, lines: null }] };
  }
  const left = lines.length - next + 1;
  const [top] = shownOf(left, reveals.get(number));
  joined[joined.length - 1] = merged(last, contextOf(lines, next, next + top, shift));
  return { hunks: joined, gaps: [...gaps, left > top ? { number, lines: left - top } : null] };
}

/** How many lines of a gap are shown at its two ends. */
function shownOf(size: number, reveal: Reveal | undefined): readonly [number, number] {
  const top = Math.min(size, reveal?.top ?? 0);
  return [top, Math.min(size - top, reveal?.bottom ?? 0)];
}

/** Lines of the file that did not change, from one to before another; `shift` leads to the file before. */
function contextOf(
  lines: readonly string[] | null,
  begin: number,
  end: number,
  shift: number,
): Change[] {
  return (lines ?? []).slice(begin - 1, end - 1).map((content, index) => ({
    type: "normal",
    oldLineNumber: begin + index + shift,
    newLineNumber: begin + index,
    content,
  }));
}

/** Return a hunk with lines added behind it, and in front of it. */
function merged(hunk: Hunk, changes: readonly Change[], head: readonly Change[] = []): Hunk {
  const isSame = changes === hunk.changes;
  if (isSame && head.length === 0) {
    return hunk;
  }
  const all = [...head, ...(isSame ? hunk.changes : [...hunk.changes, ...changes])];
  const count = (type: Change["type"]) => all.filter((change) => change.type !== type).length;
  const [begin] = spanOf(hunk);
  return {
    content: hunk.content,
    oldStart: oldBegin(hunk) - head.length,
    oldLines: count("insert"),
    newStart: begin - head.length,
    newLines: count("delete"),
    changes: all,
  };
}
