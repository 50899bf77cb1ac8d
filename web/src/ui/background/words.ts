/** What differs within lines that took the place of others; pure, for the page's worker. */

import { diffArrays } from "diff";
import { type Spans, SpanWriter } from "./spans.ts";

/** Lines that were removed, and those that came in their place. */
export interface Run {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** What differs within the lines of a run, on both sides. */
export interface WordEdits {
  readonly removed: Spans;
  readonly added: Spans;
}

/** Longer lines are not compared word by word. */
export const MOST_CHARACTERS = 1000;

/** Of larger runs each line is compared with the one in its place alone. */
const MOST_PAIRS = 2500;
const MOST_EDITS = 120;
/** So much of two lines has to be the same, for the rest to be marked. */
const ALIKE = 0.4;
const EDIT = 1;
const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Compare the lines of runs; those that have too little in common are not marked. */
export function wordEdits(runs: readonly Run[]): readonly WordEdits[] {
  return runs.map(editsOf);
}

function editsOf({ removed, added }: Run): WordEdits {
  const old = removed.map((): Edit[] => []);
  const fresh = added.map((): Edit[] => []);
  for (const [a, b, edits] of pairs(removed, added)) {
    old[a] = edits.removed;
    fresh[b] = edits.added;
  }
  return { removed: packed(old), added: packed(fresh) };
}

type Edit = readonly [number, number];

interface LineEdits {
  readonly removed: Edit[];
  readonly added: Edit[];
  /** How much of both lines is the same, from 0 to 1. */
  readonly alike: number;
}

type Pair = readonly [number, number, LineEdits];

/** Yield which line took the place of which: in their order, each with the first that is like it. */
function* pairs(removed: readonly string[], added: readonly string[]): Generator<Pair> {
  const isSmall = removed.length * added.length <= MOST_PAIRS;
  const isEven = removed.length === added.length;
  let next = 0;
  for (let a = 0; a < removed.length; a++) {
    const last = isEven || !isSmall ? Math.min(a + 1, added.length) : added.length;
    for (let b = isEven || !isSmall ? a : next; b < last; b++) {
      const edits = compare(removed[a] ?? "", added[b] ?? "");
      if (edits !== null && edits.alike >= ALIKE) {
        yield [a, b, edits];
        next = b + 1;
        break;
      }
    }
  }
}

/** Return what differs between two lines; null where they are too long, or differ too much to compare. */
function compare(before: string, after: string): LineEdits | null {
  if (Math.max(before.length, after.length) > MOST_CHARACTERS || !before.trim() || !after.trim()) {
    return null;
  }
  const words = (text: string) => text.match(WORD) ?? [];
  const parts = diffArrays(words(before), words(after), { maxEditLength: MOST_EDITS });
  if (parts === undefined) {
    return null;
  }
  const removed: Edit[] = [];
  const added: Edit[] = [];
  let [old, fresh, same] = [0, 0, 0];
  for (const part of parts) {
    const text = part.value.join("");
    if (part.removed) {
      put(removed, old, old + text.length, before);
      old += text.length;
    } else if (part.added) {
      put(added, fresh, fresh + text.length, after);
      fresh += text.length;
    } else {
      same += text.trim().length;
      old += text.length;
      fresh += text.length;
    }
  }
  const most = Math.max(before.trim().length, after.trim().length);
  return { removed, added, alike: same / most };
}

/** Add an edit; one with only spaces between it and the last goes on from that. */
function put(edits: Edit[], begin: number, end: number, line: string): void {
  const last = edits.at(-1);
  if (last !== undefined && line.slice(last[1], begin).trim() === "") {
    edits[edits.length - 1] = [last[0], end];
  } else {
    edits.push([begin, end]);
  }
}

function packed(lines: readonly (readonly Edit[])[]): Spans {
  const writer = new SpanWriter();
  lines.forEach((edits, index) => {
    if (index > 0) {
      writer.newLine();
    }
    for (const [begin, end] of edits) {
      writer.add(begin, end, EDIT);
    }
  });
  return writer.done();
}
