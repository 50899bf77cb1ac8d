/** Cuts Markdown into its blocks, so that a text that grows is parsed from its last block on; pure. */

import type { RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

const SYNTAX = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** A block with its source, which ends at `end` of the text. */
export interface MarkdownBlock {
  readonly node: RootContent;
  readonly source: string;
  readonly end: number;
}

/** A text with its blocks. */
export interface BlockedText {
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
}

/** Nothing parsed yet. */
export const NO_BLOCKS: BlockedText = { text: "", blocks: [] };

/** Parse a text; of one that continues the text before, only what may have changed. */
export function blocksOf(text: string, before: BlockedText = NO_BLOCKS): BlockedText {
  const saved = text.startsWith(before.text) ? before.blocks.slice(0, -1) : [];
  const start = saved.at(-1)?.end ?? 0;
  const fresh = fromMarkdown(text.slice(start), SYNTAX).children.map((node) => {
    const begin = start + (node.position?.start.offset ?? 0);
    const end = start + (node.position?.end.offset ?? 0);
    return { node, source: text.slice(begin, end), end };
  });
  return { text, blocks: [...saved, ...fresh] };
}
