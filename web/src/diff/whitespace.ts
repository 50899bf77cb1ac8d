/** A change without what differs in spaces alone, as `git diff -w` has it; pure. */

import { diffArrays } from "diff";
import { type ChangeRun, runsOf } from "./lines.ts";
import type { Change, FilePatch, Hunk } from "./patch.ts";

/** Of longer runs all lines stay as they are. */
const MOST_LINES = 4000;
const MOST_EDITS = 1000;

/**
 * Return a file's change without lines that differ in spaces alone; these are shown as unchanged.
 *
 * Lines keep their numbers, and the file its hash: a comment or a mark is of the true change.
 */
export function withoutWhitespace(file: FilePatch): FilePatch {
  const hunks = file.hunks
    .map((hunk) => quietHunk(hunk))
    .filter((hunk) => hunk.changes.some(({ type }) => type !== "normal"));
  const count = (type: Change["type"]) =>
    hunks.reduce((all, hunk) => all + hunk.changes.filter((one) => one.type === type).length, 0);
  return {
    ...file,
    hunks,
    insertions: count("insert"),
    deletions: count("delete"),
    lines: hunks.reduce((all, hunk) => all + hunk.changes.length, 0),
  };
}

function quietHunk(hunk: Hunk): Hunk {
  const changes = runsOf(hunk.changes).flatMap((run) =>
    run.kept !== null ? [run.kept] : quietRun(run),
  );
  return { ...hunk, changes };
}

function quietRun({ removed, added }: ChangeRun): readonly Change[] {
  const all: readonly Change[] = [...removed, ...added];
  if (removed.length === 0 || added.length === 0 || all.length > MOST_LINES) {
    return all;
  }
  const bare = (lines: readonly Change[]) =>
    lines.map(({ content }) => content.replace(/\s+/g, ""));
  const parts = diffArrays(bare(removed), bare(added), { maxEditLength: MOST_EDITS });
  if (parts === undefined) {
    return all;
  }
  const changes: Change[] = [];
  let [old, fresh] = [0, 0];
  for (const part of parts) {
    for (let index = 0; index < part.count; index++) {
      const before = part.added ? undefined : removed[old++];
      const after = part.removed ? undefined : added[fresh++];
      if (before !== undefined && after !== undefined) {
        changes.push({
          type: "normal",
          oldLineNumber: before.lineNumber,
          newLineNumber: after.lineNumber,
          content: after.content,
        });
      } else if (before !== undefined || after !== undefined) {
        changes.push((before ?? after) as Change);
      }
    }
  }
  return changes;
}
