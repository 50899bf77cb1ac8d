/** Everything that stands below lines in a review: drafts, earlier comments, findings. */

import { type ReactNode, useCallback, useMemo, useState } from "react";
import type { Schemas } from "@/api/client";
import type { Note } from "@/diff/DiffBody";
import type { Place } from "@/diff/lines";
import type { FilePatch } from "@/diff/patch";
import {
  commentStatusOf,
  type Draft,
  readDrafts,
  type SentComment,
  withDraft,
  withoutDraft,
  writeDrafts,
} from "@/tasks/review/comments";
import { CommentEditor, DraftNote, FindingNote, SentNote } from "@/tasks/review/Notes";
import { useDraft } from "@/ui/draft";

const MOST = 100;
const NONE: readonly Note[] = [];

interface Source {
  readonly threadId: string;
  readonly task: Schemas["TaskView"];
  /** What changed since the last review, where that is known. */
  readonly since: readonly FilePatch[] | null;
  readonly isSinceShown: boolean;
}

/** A comment that is being written; without a draft it is new. */
interface Editing {
  readonly path: string;
  readonly place: Place;
  readonly draft: Draft | null;
}

/** Keep the comments of a review, and lay out what stands below which line. */
export function useNotes({ threadId, task, since, isSinceShown }: Source) {
  const name = `${threadId}.${task.task_id}`;
  const [saved, keep] = useDraft(`review.${name}`);
  const drafts = useMemo(() => readDrafts(saved), [saved]);
  const [editing, setEditing] = useState<Editing | null>(null);
  const commit = task.snapshot?.commit ?? "";
  const count = Object.values(drafts).reduce((all, some) => all + some.length, 0);

  const fixed = useMemo(() => {
    const isUnderWay = task.reviewed !== null && task.reviewed === commit;
    const notes: Record<string, Note[]> = {};
    const put = (path: string, note: Note) => {
      notes[path] = [...(notes[path] ?? []), note];
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

  const byPath = useMemo(() => {
    const paths = new Set([
      ...Object.keys(fixed),
      ...Object.keys(drafts),
      ...(editing ? [editing.path] : []),
    ]);
    return new Map(
      [...paths].map((path): [string, readonly Note[]] => [
        path,
        [
          ...(fixed[path] ?? NONE),
          ...(drafts[path] ?? []).map(
            (draft): Note => ({
              id: draft.id,
              place: { side: draft.side, line: draft.line },
              element:
                editing?.draft?.id === draft.id ? (
                  editor(editing, name, commit, { save, close })
                ) : (
                  <DraftNote
                    draft={draft}
                    isEarlier={draft.commit !== commit}
                    onEdit={() =>
                      setEditing({ path, place: { side: draft.side, line: draft.line }, draft })
                    }
                    onDelete={() => keep(writeDrafts(withoutDraft(drafts, draft)))}
                  />
                ),
            }),
          ),
          ...(editing !== null && editing.draft === null && editing.path === path
            ? [
                {
                  id: "editing",
                  place: editing.place,
                  element: editor(editing, name, commit, { save, close }),
                },
              ]
            : []),
        ],
      ]),
    );
  }, [fixed, drafts, editing, name, commit, save, close, keep]);

  const begin = useCallback(
    (path: string, place: Place) => {
      if (count < MOST) {
        setEditing({ path, place, draft: null });
      }
    },
    [count],
  );
  const clear = useCallback(() => keep(""), [keep]);
  return {
    drafts,
    count,
    isEditing: editing !== null,
    notesOf: (path: string) => byPath.get(path) ?? NONE,
    paths: [...byPath.keys()],
    begin,
    clear,
  };
}

interface Ends {
  readonly save: (draft: Draft) => void;
  readonly close: () => void;
}

function editor(
  { path, place, draft }: Editing,
  name: string,
  commit: string,
  { save, close }: Ends,
): ReactNode {
  const id = draft?.id ?? crypto.randomUUID();
  return (
    <CommentEditor
      name={`comment.${name}.${path}.${place.side}${place.line}`}
      text={draft?.text ?? ""}
      label={`Comment on line ${place.line} of ${path}`}
      onSave={(text) => save({ id, path, side: place.side, line: place.line, text, commit })}
      onClose={close}
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
  const was: Place = { side: "old", line: comment.line };
  const state = isUnderWay ? "under way" : isAddressed ? "addressed" : "open";
  return {
    id: `sent ${index}`,
    place: isSinceShown ? was : place,
    element: <SentNote comment={comment} status={state} />,
  };
}
