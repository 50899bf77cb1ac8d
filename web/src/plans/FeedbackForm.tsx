/** Feedback that sends something back to its agent; an empty one is not sent. */

import { Button, Group, Textarea } from "@mantine/core";
import { useEffect, useRef } from "react";
import { isWriting, type Subject } from "@/api/unsent";
import { onModEnter } from "@/keyboard/mod_enter";
import classes from "@/plans/plan.module.css";
import { useDraft } from "@/ui/draft";
import { Kbd } from "@/ui/Kbd";

interface Props {
  /** What is answered; it names the draft. */
  readonly subject: Subject;
  readonly label: string;
  /** Beginnings and points that a person may take up by a click. */
  readonly chips?: readonly string[];
  readonly sendLabel?: string;
  readonly isSending: boolean;
  readonly onSend: (feedback: string) => Promise<boolean>;
  readonly onClose: () => void;
}

/** Ask for feedback; Mod+Enter sends, Escape goes back and keeps the draft. */
export function FeedbackForm(props: Props) {
  const {
    subject,
    label,
    chips = [],
    sendLabel = "Send feedback",
    isSending,
    onSend,
    onClose,
  } = props;
  const [text, setText] = useDraft(subject.draft);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed is read where it is kept
  useEffect(() => isWriting(subject), [text, subject.requestId]);
  const press = onModEnter(() => void send(), onClose);
  const isEmpty = text.trim() === "";
  const send = async () => {
    if (!isEmpty && (await onSend(text.trim()))) {
      setText("");
    }
  };
  const take = (chip: string) => {
    setText(text === "" || text.endsWith("\n") ? `${text}${chip}` : `${text}\n${chip}`);
    field.current?.focus();
  };
  return (
    <div className={classes.reject}>
      <Textarea
        ref={field}
        label={label}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          press(event);
        }}
      />
      {chips.length > 0 && (
        <Group gap={4} role="group" aria-label="Address">
          {chips.map((chip) => (
            <button
              key={chip}
              type="button"
              className={classes.chip}
              title={chip}
              onClick={() => take(chip)}
            >
              {chip}
            </button>
          ))}
        </Group>
      )}
      <Group gap="sm">
        <Button
          color="red"
          loading={isSending}
          disabled={isEmpty}
          onClick={() => void send()}
          rightSection={<Kbd keys="Mod+Enter" />}
        >
          {sendLabel}
        </Button>
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
        {isEmpty && (
          <span className="dim">
            Describe what should change. The agent receives your feedback.
          </span>
        )}
      </Group>
    </div>
  );
}
