/** What a gate says beside its buttons: how long it waits, that it changed, and the words to send. */

import { Alert, Button, Group, Textarea } from "@mantine/core";
import type { KeyboardEvent } from "react";
import type { Schemas } from "@/api/client";
import { useInbox } from "@/api/queries";
import classes from "@/tasks/review/review.module.css";
import { Ago } from "@/ui/Ago";
import { Kbd } from "@/ui/Kbd";

/** Say how long a request waits; it never times out. */
export function Waiting({ request }: { readonly request: Schemas["ApprovalRequest"] }) {
  const inbox = useInbox();
  const item = inbox.data?.items.find((one) => one.request?.request_id === request.request_id);
  return (
    <span className="dim">
      waiting <Ago at={item?.since ?? null} />
    </span>
  );
}

interface ChangedProps {
  readonly task: Schemas["TaskView"];
  readonly onShow: () => void;
}

/** Say that what was opened is not what waits now. */
export function Changed({ task, onShow }: ChangedProps) {
  const isClosed = task.request?.subject !== "gate";
  return (
    <Alert color="orange" variant="light" title="Changed since you opened it" role="alert">
      {isClosed
        ? "This no longer needs you: it was decided elsewhere, or the work continues."
        : `A newer change is waiting, from attempt ${task.attempts.at(-1)?.attempt ?? "?"}.`}
      <Group mt="xs">
        <Button variant="default" onClick={onShow}>
          {isClosed ? "Close" : "Show newest"}
        </Button>
      </Group>
    </Alert>
  );
}

interface FeedbackProps {
  readonly text: string;
  readonly isSending: boolean;
  readonly onType: (text: string) => void;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

/** Take the words that go back to the agent. */
export function FeedbackBox({ text, isSending, onType, onSend, onClose }: FeedbackProps) {
  const isEmpty = text.trim() === "";
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onClose();
    } else if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && !isEmpty) {
      event.preventDefault();
      onSend();
    }
  };
  return (
    <div className={classes.feedback}>
      <Textarea
        label="What should change?"
        description="The agent addresses it, and everything is verified again."
        autosize
        minRows={2}
        maxRows={10}
        value={text}
        data-autofocus
        autoFocus
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={press}
      />
      <Group gap={6} mt="xs">
        <Button variant="default" disabled={isEmpty} loading={isSending} onClick={onSend}>
          Send feedback <Kbd keys="Mod+Enter" />
        </Button>
        <Button variant="subtle" onClick={onClose}>
          Close
        </Button>
      </Group>
    </div>
  );
}
