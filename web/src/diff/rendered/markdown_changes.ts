/** Which blocks of a Markdown text changed; pure. */

import { diffArrays } from "diff";
import { blocksOf } from "../../ui/markdown_blocks.ts";

/** Blocks that follow each other: both texts have them, or one alone. */
export interface BlockRun {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

const MOST_EDITS = 2000;

/** Compare two texts by their blocks: a paragraph, a list, a table counts as one. */
export function blockRuns(before: string, after: string): readonly BlockRun[] {
  const sources = (text: string) => blocksOf(text).blocks.map(({ source }) => source);
  const [old, fresh] = [sources(before), sources(after)];
  const parts = diffArrays(old, fresh, { maxEditLength: MOST_EDITS });
  if (parts === undefined) {
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ];
  }
  return parts.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value.join("\n\n"),
  }));
}
