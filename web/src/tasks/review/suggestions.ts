/** Suggestions in comments: Markdown blocks whose lines are to come in the place of others; pure. */

import type { Draft } from "./comments.ts";

/** A part of a comment: words, or a suggestion. */
export type CommentPart =
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "suggestion"; readonly text: string | null };

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*suggestion[ \t]*$/;

/** Cut a comment into words and suggestions; a block that does not end is words. */
export function partsOf(comment: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let words: string[] = [];
  const lines = comment.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = FENCE.exec(lines[at] ?? "")?.[1];
    const end =
      fence === undefined
        ? -1
        : lines.findIndex((line, index) => index > at && line.trim() === fence);
    if (end < 0) {
      words.push(lines[at] ?? "");
      continue;
    }
    put(parts, words);
    words = [];
    const inner = lines.slice(at + 1, end);
    parts.push({ kind: "suggestion", text: inner.length === 0 ? null : inner.join("\n") });
    at = end;
  }
  put(parts, words);
  return parts;
}

function put(parts: CommentPart[], words: readonly string[]): void {
  const text = words.join("\n");
  if (text.trim() !== "") {
    parts.push({ kind: "words", text });
  }
}

/** Return lines as the block that suggests them; its fence is longer than any in them. */
export function suggestionOf(lines: string): string {
  const longest = Math.max(2, ...[...lines.matchAll(/`{3,}/g)].map(([found]) => found.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}suggestion\n${lines}\n${fence}`;
}

/** A suggestion as the API takes it. */
export interface Suggestion {
  readonly path: string;
  readonly first: number;
  readonly last: number;
  readonly text: string | null;
}

/** Return what drafts suggest for the work at a commit: the one suggestion of each that is on lines of it. */
export function suggestionsIn(drafts: readonly Draft[], commit: string): Suggestion[] {
  return drafts.flatMap((draft) => {
    const [found, ...more] = partsOf(draft.text).filter(({ kind }) => kind === "suggestion");
    const isUsable = draft.side === "new" && draft.commit === commit && more.length === 0;
    return found !== undefined && isUsable
      ? [{ path: draft.path, first: draft.first ?? draft.line, last: draft.line, text: found.text }]
      : [];
  });
}
