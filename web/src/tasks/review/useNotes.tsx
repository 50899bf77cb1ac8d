/** Everything that stands below lines in a review: drafts, earlier comments, findings. */

import { type ReactNode, useCallback, useMemo, useState } from "react";
import type { Schemas } from "@/api/client";
import type { Note } from "@/diff/DiffBody";
import { type LineRange, textIn } from "@/diff/lines";
import type { FilePatch, Hunk } from "@/diff/patch";
import {
  commentStatusOf,
  type Draft,
  draftsOf,
  placeSince,
  readDrafts,
  type SentComment,
  withDraft,
  withoutDraft,
  writeDrafts,
} from "@/tasks/review/comments";
import { CommentEditor, DraftNote, FindingNote, SentNote } from "@/tasks/review/Notes";
import { suggestionsIn } from "@/tasks/review/suggestions";
import { useDraft } from "@/ui/draft";

const MOST = 100;
const NONE: readonly Note[] = [];

interface Source {
  readonly threadId: string;
  readonly task: Schemas["TaskView"];
  /** What changed since the last review, where that is known. */
  readonly since: readonly FilePatch[] | null;
  readonly isSinceShown: boolean;
  /** Applies what drafts suggest; null where that cannot be now. */
  readonly apply: ((drafts: readonly Draft[]) => void) | null;
}

/** What is shown in a review beside its lines, and what is written there. */
export type Notes = ReturnType<typeof useNotes>;

/** A comment that is being written; without a draft it is new. */
interface Editing {
  readonly path: string;
  readonly range: LineRange;
  readonly draft: Draft | null;
  /** What is shown of the file, for the text of its lines. */
  readonly hunks: readonly Hunk[];
}

/** Keep the comments of a review, and lay out what stands below which line. */
export function useNotes({ threadId, task, since, isSinceShown, apply }: Source) {
  const name = `${threadId}.${task.task_id}`;
  const [saved, keep] = useDraft(`review.${name}`);
  const drafts = useMemo(() => readDrafts(saved), [saved]);
  const [editing, setEditing] = useState<Editing | null>(null);
  const commit = task.snapshot?.commit ?? "";
  const count = Object.values(drafts).reduce((all, some) => all + some.length, 0);

  const fixed = useMemo(() => {
    const isUnderWay = task.reviewed !== null && task.reviewed === commit;
    const notes = new Map<string, Note[]>();
    const put = (path: string, note: Note) => {
      notes.set(path, [...(notes.get(path) ?? NONE), note]);
    };
    task.comments.forEach((comment, index) => {
      put(
        comment.path,
        sentNote(comment, index, isUnderWay ? null : since, isSinceShown, isUnderWay),
      );
    });
    for (const finding of task.attempts.at(-1)?.steps.flatMap((step) => step.findings) ?? []) {
      const line = finding.line ?? null;
      put(finding.file, {
        id: `finding ${finding.line} ${finding.text}`,
        place: line === null ? null : { side: "new", line },
        element: <FindingNote finding={finding} />,
      });
    }
    return notes;
  }, [task, since, isSinceShown, commit]);

  const close = useCallback(() => setEditing(null), []);
  const save = useCallback(
    (draft: Draft) => {
      keep(writeDrafts(withDraft(drafts, draft)));
      setEditing(null);
    },
    [drafts, keep],
  );

  const write = useCallback(
    (one: Editing): Note => ({
      id: one.draft?.id ?? "editing",
      place: { side: one.range.side, line: one.range.last },
      element: editor(one, name, commit, { save, close, move: setEditing }),
    }),
    [name, commit, save, close],
  );
  const byPath = useMemo(() => {
    const paths = new Set([
      ...fixed.keys(),
      ...Object.keys(drafts),
      ...(editing ? [editing.path] : []),
    ]);
    const draftNote = (draft: Draft): Note => ({
      id: draft.id,
      place: { side: draft.side, line: draft.line },
      element: (
        <DraftNote
          draft={draft}
          isEarlier={draft.commit !== commit}
          onEdit={() => setEditing(editingOf(draft))}
          onDelete={() => keep(writeDrafts(withoutDraft(drafts, draft)))}
          onApply={
            apply !== null && suggestionsIn([draft], commit).length > 0
              ? () => apply([draft])
              : undefined
          }
        />
      ),
    });
    return new Map(
      [...paths].map((path): [string, readonly Note[]] => [
        path,
        [
          ...(fixed.get(path) ?? NONE),
          ...draftsOf(drafts, path).map((draft) =>
            editing?.draft?.id === draft.id ? write(editing) : draftNote(draft),
          ),
          ...(editing !== null && editing.draft === null && editing.path === path
            ? [write(editing)]
            : []),
        ],
      ]),
    );
  }, [fixed, drafts, editing, commit, keep, apply, write]);

  const begin = useCallback(
    (path: string, range: LineRange, hunks: readonly Hunk[]) => {
      if (count < MOST) {
        setEditing({ path, range, hunks, draft: null });
      }
    },
    [count],
  );
  const without = useCallback(
    (gone: readonly Draft[]) => keep(writeDrafts(gone.reduce(withoutDraft, drafts))),
    [keep, drafts],
  );
  const clear = useCallback(() => keep(""), [keep]);
  return {
    drafts,
    count,
    isEditing: editing !== null,
    notesOf: (path: string) => byPath.get(path) ?? NONE,
    paths: [...byPath.keys()],
    begin,
    without,
    clear,
    range: editing === null ? null : { ...editing.range, path: editing.path },
  };
}

interface Ends {
  readonly save: (draft: Draft) => void;
  readonly close: () => void;
  readonly move: (editing: Editing) => void;
}

/** A draft that is written again; the lines that it is on are known of it alone. */
function editingOf(draft: Draft): Editing {
  const range = { side: draft.side, first: draft.first ?? draft.line, last: draft.line };
  return { path: draft.path, range, draft, hunks: [] };
}

function editor(editing: Editing, name: string, commit: string, ends: Ends): ReactNode {
  const { path, range, draft, hunks } = editing;
  const id = draft?.id ?? crypto.randomUUID();
  const isSame = draft !== null && (draft.first ?? draft.line) === range.first;
  const text = isSame ? (draft.original ?? null) : textIn(hunks, range);
  const original = range.side === "new" ? text : null;
  const { side, first, last: line } = range;
  const of = draft?.commit ?? commit; // what is written again is still on the lines that it was written on
  return (
    <CommentEditor
      name={`comment.${name}.${path}.${side}${line}`}
      path={path}
      text={draft?.text ?? ""}
      range={range}
      original={original}
      onRange={(moved) => ends.move({ ...editing, range: moved })}
      onSave={(text) => ends.save({ id, path, side, line, first, text, original, commit: of })}
      onClose={ends.close}
    />
  );
}

function sentNote(
  comment: SentComment,
  index: number,
  since: readonly FilePatch[] | null,
  isSinceShown: boolean,
  isUnderWay: boolean,
): Note {
  const { isAddressed, place } = commentStatusOf(comment, since);
  const state = isUnderWay ? "under way" : isAddressed ? "addressed" : "open";
  return {
    id: `sent ${index}`,
    place: isSinceShown ? placeSince(comment) : place,
    element: <SentNote comment={comment} status={state} />,
  };
}
