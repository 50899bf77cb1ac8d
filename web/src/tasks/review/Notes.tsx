/** What stands below lines of a change: comments to be sent, those that were, what reviewers found. */

import { Button, Group, Textarea } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { DiffBlock } from "@/diff/DiffBlock";
import classes from "@/diff/diff.module.css";
import type { LineRange } from "@/diff/lines";
import { onModEnter } from "@/keyboard/mod_enter";
import { type Draft, linesOf, onLines, type SentComment } from "@/tasks/review/comments";
import { partsOf, suggestionOf } from "@/tasks/review/suggestions";
import { useDraft } from "@/ui/draft";
import { Kbd } from "@/ui/Kbd";
import { Markdown } from "@/ui/Markdown";

const MOST = 2000;

interface EditorProps {
  /** What the draft is called: what is typed outlives the editor until it is kept. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly range: LineRange;
  /** The lines as they are, to be suggested otherwise; null where they cannot be. */
  readonly original: string | null;
  readonly onRange: (range: LineRange) => void;
  readonly onSave: (text: string) => void;
  readonly onClose: () => void;
}

/** Write a comment on lines. */
export function CommentEditor(props: EditorProps) {
  const { name, path, text, range, original, onRange, onSave, onClose } = props;
  const [left, leave] = useDraft(name);
  const [typed, setTyped] = useState(left || text);
  const isEmpty = typed.trim() === "";
  const lines = linesOf({ line: range.last, first: range.first });
  const label = `Comment on line${range.first < range.last ? "s" : ""} ${lines} of ${path}`;
  const write = (words: string) => {
    setTyped(words);
    leave(words);
  };
  const save = () => {
    leave("");
    onSave(typed.trim());
  };
  const block = suggestionOf(original ?? "");
  const suggested = typed.trim() === "" ? block : `${typed.trimEnd()}\n\n${block}`;
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    onModEnter(() => isEmpty || save(), onClose)(event);
  };
  return (
    <div className={classes.note} data-kind="draft">
      <Textarea
        aria-label={label}
        placeholder={label}
        autosize
        autoFocus
        minRows={2}
        maxRows={12}
        maxLength={MOST}
        value={typed}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={press}
      />
      <Group gap={6} mt={4}>
        <Button disabled={isEmpty} onClick={save} rightSection={<Kbd keys="Mod+Enter" />}>
          Add comment
        </Button>
        {original !== null && (
          <Button
            variant="default"
            disabled={suggested.length > MOST}
            title={suggested.length > MOST ? "These lines are too long for a comment" : undefined}
            onClick={() => write(suggested)}
          >
            Suggest a change
          </Button>
        )}
        <Button
          variant="subtle"
          disabled={range.first <= 1}
          onClick={() => onRange({ ...range, first: range.first - 1 })}
        >
          Add line above
        </Button>
        {range.first < range.last && (
          <Button variant="subtle" onClick={() => onRange({ ...range, first: range.first + 1 })}>
            Drop first line
          </Button>
        )}
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </div>
  );
}

/** The words of a comment in Markdown, and what it suggests as a change of `original`. */
function Words({ text, path, original }: { text: string; path: string; original?: string | null }) {
  return (
    <div className={classes.words}>
      {partsOf(text).map((part, index) =>
        part.kind === "words" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name than their place
          <Markdown key={index} text={part.text} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name than their place
          <Suggested key={index} text={part.text} path={path} original={original ?? ""} />
        ),
      )}
    </div>
  );
}

function Suggested({
  text,
  path,
  original,
}: {
  text: string | null;
  path: string;
  original: string;
}) {
  return (
    <figure className={classes.suggestion} aria-label="Suggested change">
      <DiffBlock
        path={path}
        oldText={original === "" ? "" : `${original}\n`}
        newText={text === null ? "" : `${text}\n`}
      />
    </figure>
  );
}

interface DraftProps {
  readonly draft: Draft;
  readonly isEarlier: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  /** Apply what it suggests at once; without it, it cannot be. */
  readonly onApply: (() => void) | undefined;
}

/** Show a comment that is not sent yet. */
export function DraftNote({ draft, isEarlier, onEdit, onDelete, onApply }: DraftProps) {
  return (
    <div className={classes.note} data-kind="draft">
      <div className={classes.noteHead}>
        <strong>You</strong>
        <span className="dim">
          pending{isEarlier ? ", on an earlier version" : ""} · {onLines(draft)}
        </span>
        <span className={classes.noteActions}>
          {onApply && (
            <Button variant="default" onClick={onApply}>
              Apply suggestion
            </Button>
          )}
          <Button variant="subtle" onClick={onEdit}>
            Edit
          </Button>
          <Button variant="subtle" color="red" onClick={onDelete}>
            Delete
          </Button>
        </span>
      </div>
      <Words text={draft.text} path={draft.path} original={draft.original ?? ""} />
    </div>
  );
}

interface SentProps {
  readonly comment: SentComment;
  readonly status: "addressed" | "open" | "under way";
}

const STATUS_TEXTS = {
  addressed: "addressed: the line was changed",
  open: "the line is unchanged: check whether it was addressed",
  "under way": "sent; the agent is working on it",
} as const;

/** Show a comment of the last review, and what became of it. */
export function SentNote({ comment, status: state }: SentProps) {
  return (
    <div className={classes.note} data-kind={state}>
      <div className={classes.noteHead}>
        <strong>You, in your last review</strong>
        <span className="dim">{onLines(comment)}</span>
        <span className={classes.commentStatus} data-kind={state}>
          {state === "addressed" ? "✓ " : state === "open" ? "● " : "◐ "}
          {STATUS_TEXTS[state]}
        </span>
      </div>
      <Words text={comment.text} path={comment.path} />
    </div>
  );
}

/** Show what a reviewing agent found on a line. */
export function FindingNote({ finding }: { readonly finding: Schemas["Finding"] }) {
  return (
    <div className={classes.note} data-kind="finding">
      <div className={classes.noteHead}>
        <strong>⚑ Review agent</strong>
        <span className="dim">{finding.severity}</span>
      </div>
      <Words text={finding.text} path={finding.file} />
    </div>
  );
}
