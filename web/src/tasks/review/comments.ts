/** Comments on lines: drafts before they are sent, and what became of those that were; pure. */

import type { Place, Side } from "../../diff/lines.ts";
import type { FilePatch, Hunk } from "../../diff/patch.ts";

/** A comment that was not sent yet. */
export interface Draft {
  readonly id: string;
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  /** Where it begins, if it is on several lines. */
  readonly first?: number | undefined;
  readonly text: string;
  /** The lines as they were, where they could be read: what a suggestion takes the place of. */
  readonly original?: string | null;
  /** The commit that it was written on. */
  readonly commit: string;
}

/** The drafts of a review, by path. */
export type Drafts = Readonly<Record<string, readonly Draft[]>>;

/** A comment as the API takes it and gives it back. */
export interface SentComment {
  readonly path: string;
  readonly line: number;
  readonly first?: number | null;
  readonly side: Side;
  readonly text: string;
}

/** What became of a comment: its line was changed since, or it is now there. */
export interface CommentStatus {
  readonly isAddressed: boolean;
  /** Where it is about now; null where its line is gone. */
  readonly place: Place | null;
}

/** Return the drafts of a file, which may be called `constructor`, too. */
export function draftsOf(drafts: Drafts, path: string): readonly Draft[] {
  return Object.hasOwn(drafts, path) ? (drafts[path] ?? []) : [];
}

/** Return drafts with one put in the place of the one of its id, or behind the others. */
export function withDraft(drafts: Drafts, draft: Draft): Drafts {
  const there = draftsOf(drafts, draft.path);
  const isNew = !there.some((one) => one.id === draft.id);
  return {
    ...drafts,
    [draft.path]: isNew
      ? [...there, draft]
      : there.map((one) => (one.id === draft.id ? draft : one)),
  };
}

/** Return drafts without one. */
export function withoutDraft(drafts: Drafts, draft: Draft): Drafts {
  const { [draft.path]: _, ...others } = drafts;
  const left = draftsOf(drafts, draft.path).filter((one) => one.id !== draft.id);
  return left.length === 0 ? others : { ...others, [draft.path]: left };
}

/** Return all drafts as they are sent: by path, then by line. */
export function sentOf(drafts: Drafts): SentComment[] {
  return Object.keys(drafts)
    .sort()
    .flatMap((path) =>
      [...(drafts[path] ?? [])]
        .sort((a, b) => a.line - b.line)
        .map(({ side, line, first, text }) => ({
          path,
          line,
          ...(first !== undefined && first < line ? { first } : {}),
          side,
          text,
        })),
    );
}

/** Return a review as text that can be pasted: the general word, then each comment with its place. */
export function reviewText(word: string, comments: readonly SentComment[]): string {
  return [
    word.trim(),
    ...comments.map(
      ({ path, line, first, text }) => `${path}:${linesOf({ line, first })}: ${text}`,
    ),
  ]
    .filter((each) => each !== "")
    .join("\n");
}

/** Return the lines of a comment as people write them: `12`, or `12-15`. */
export function linesOf({
  line,
  first,
}: {
  readonly line: number;
  readonly first?: number | null | undefined;
}): string {
  return typeof first === "number" && first < line ? `${first}-${line}` : `${line}`;
}

/** Say which lines a comment is on: `line 12`, or `lines 12-15`. */
export function onLines(comment: Parameters<typeof linesOf>[0]): string {
  const lines = linesOf(comment);
  return `${lines.includes("-") ? "lines" : "line"} ${lines}`;
}

/** Read drafts as they were kept; what cannot be read is no draft. */
export function readDrafts(text: string): Drafts {
  try {
    const saved: unknown = JSON.parse(text);
    return typeof saved === "object" && saved !== null && !Array.isArray(saved)
      ? (saved as Drafts)
      : {};
  } catch {
    return {};
  }
}

/** Write drafts to be kept; none is empty. */
export function writeDrafts(drafts: Drafts): string {
  return Object.keys(drafts).length === 0 ? "" : JSON.stringify(drafts);
}

/**
 * Tell what became of a comment, from what changed since the review.
 *
 * A line that was removed or replaced counts as addressed, as do several with one of that kind; others have moved at most. A comment
 * on the side before the change counts as addressed once its file was changed at all.
 */
export function commentStatusOf(
  comment: SentComment,
  since: readonly FilePatch[] | null,
): CommentStatus {
  const here: Place = { side: comment.side, line: comment.line };
  const file = since?.find(
    (one) => one.oldPath === comment.path || (one.kind === "add" && one.newPath === comment.path),
  );
  if (file === undefined) {
    return { isAddressed: false, place: here };
  }
  if (file.kind === "delete") {
    return { isAddressed: true, place: null };
  }
  if (comment.side === "old") {
    return { isAddressed: true, place: here };
  }
  const [first, last] = [comment.first ?? comment.line, comment.line];
  const isAddressed = file.hunks.some(({ changes }) =>
    changes.some(
      (one) => one.type === "delete" && first <= one.lineNumber && one.lineNumber <= last,
    ),
  );
  const { place, ...own } = moved(last, file);
  return { isAddressed: isAddressed || own.isAddressed, place };
}

/**
 * Say where a comment stands in what changed since the review, whose old side is the files that it was written on.
 *
 * One on the side before the change is of the files before that: it stands above the file.
 */
export function placeSince(comment: SentComment): Place | null {
  return comment.side === "old" ? null : { side: "old", line: comment.line };
}

function moved(line: number, file: FilePatch): CommentStatus {
  let shift = 0;
  for (const hunk of file.hunks) {
    if (line < hunk.oldStart || (hunk.oldLines === 0 && line === hunk.oldStart)) {
      break;
    }
    if (line < hunk.oldStart + hunk.oldLines) {
      return within(line, hunk);
    }
    shift += hunk.newLines - hunk.oldLines;
  }
  return { isAddressed: false, place: { side: "new", line: line + shift } };
}

/** Where a line of the file before a hunk is after it: the same line, or what came in its place. */
function within(line: number, hunk: Hunk): CommentStatus {
  let next = hunk.newStart;
  let isGone = false;
  for (const change of hunk.changes) {
    if (change.type === "normal" && change.oldLineNumber === line) {
      return { isAddressed: false, place: { side: "new", line: change.newLineNumber } };
    }
    if (change.type === "delete") {
      isGone ||= change.lineNumber === line;
    } else {
      next = change.type === "insert" ? change.lineNumber : change.newLineNumber;
      if (isGone) {
        break;
      }
    }
  }
  return { isAddressed: true, place: { side: "new", line: Math.max(1, next) } };
}
