/** What stands below lines of a change: comments to be sent, those that were, what reviewers found. */

import { Button, Group, Textarea } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import classes from "@/diff/diff.module.css";
import { onModEnter } from "@/keyboard/mod_enter";
import type { Draft, SentComment } from "@/tasks/review/comments";
import { useDraft } from "@/ui/draft";
import { Kbd } from "@/ui/Kbd";
import { Safe } from "@/ui/Safe";

const MOST = 2000;

interface EditorProps {
  /** What the draft is called: what is typed outlives the editor until it is kept. */
  readonly name: string;
  readonly text: string;
  readonly label: string;
  readonly onSave: (text: string) => void;
  readonly onClose: () => void;
}

/** Write a comment on a line. */
export function CommentEditor({ name, text, label, onSave, onClose }: EditorProps) {
  const [left, leave] = useDraft(name);
  const [typed, setTyped] = useState(left || text);
  const isEmpty = typed.trim() === "";
  const write = (words: string) => {
    setTyped(words);
    leave(words);
  };
  const save = () => {
    leave("");
    onSave(typed.trim());
  };
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
        <Button disabled={isEmpty} onClick={save}>
          Add comment <Kbd keys="Mod+Enter" />
        </Button>
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </div>
  );
}

interface DraftProps {
  readonly draft: Draft;
  readonly isEarlier: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

/** Show a comment that is not sent yet. */
export function DraftNote({ draft, isEarlier, onEdit, onDelete }: DraftProps) {
  return (
    <div className={classes.note} data-kind="draft">
      <div className={classes.noteHead}>
        <strong>You</strong>
        <span className="dim">
          pending{isEarlier ? ", on an earlier version" : ""} · line {draft.line}
        </span>
        <span className={classes.noteActions}>
          <Button variant="subtle" onClick={onEdit}>
            Edit
          </Button>
          <Button variant="subtle" color="red" onClick={onDelete}>
            Delete
          </Button>
        </span>
      </div>
      <div className="pre-wrap">
        <Safe text={draft.text} />
      </div>
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
        <span className="dim">line {comment.line}</span>
        <span className={classes.commentStatus} data-kind={state}>
          {state === "addressed" ? "✓ " : state === "open" ? "● " : "◐ "}
          {STATUS_TEXTS[state]}
        </span>
      </div>
      <div className="pre-wrap">
        <Safe text={comment.text} />
      </div>
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
      <div className="pre-wrap">
        <Safe text={finding.text} />
      </div>
    </div>
  );
}
