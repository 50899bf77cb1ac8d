/** Where a person writes to an agent: messages, files, commands; what is typed outlives everything. */

import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { FileText, Paperclip, X } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useConnection } from "@/api/connectivity";
import { leftAfter } from "@/api/intent";
import { type Attachments, useAttachments } from "@/conversation/composer/attachments";
import classes from "@/conversation/composer/composer.module.css";
import { Field } from "@/conversation/composer/Field";
import { Queue } from "@/conversation/composer/Queue";
import { useQueued, type WaitingMessage } from "@/conversation/composer/queue";
import type { SlashCommand } from "@/conversation/composer/slash";
import { type SendMessage, useSending } from "@/conversation/composer/useSending";
import { holdDraft, useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { Kbd } from "@/ui/Kbd";
import { Safe } from "@/ui/Safe";

interface Props {
  /** What its draft is kept by: one for each session. */
  readonly name: string;
  readonly placeholder?: string;
  /** Sends a message; answers what the engine said. */
  readonly say: SendMessage;
  readonly commands?: readonly SlashCommand[];
  /** The session that it writes to. */
  readonly session: string;
  /** The ids of the newest messages that were sent, as the transcript has them. */
  readonly sent?: string;
  /** Whether the agent is in a turn: what is sent then waits for its end. */
  readonly isWorking?: boolean;
  /** Stops the turn; where it is left out there is no button. */
  readonly stop?: (() => Promise<unknown>) | undefined;
  /** Why nothing can be sent here; the field stays, with what was typed. */
  readonly closed?: string | undefined;
  /** Small facts beside the buttons: how full the context is. */
  readonly facts?: ReactNode;
  readonly field?: RefObject<HTMLTextAreaElement | null>;
}

const NO_COMMANDS: readonly SlashCommand[] = [];

/** A field for messages, with its buttons. */
export function Composer(props: Props) {
  const { name, commands = NO_COMMANDS, isWorking = false, stop, closed, facts } = props;
  const [text, setText] = useDraft(name);
  const files = useAttachments(name);
  const sending = useSending(name, props.say, commands);
  const queued = useQueued(props.session, isWorking);
  const { state } = useConnection();
  const { confirm } = sending;
  const clear = files.clear;
  const own = useRef<HTMLTextAreaElement>(null);
  const field = props.field ?? own;
  const latest = useRef(text);
  latest.current = text;
  useEffect(() => {
    const arrived = confirm((props.sent ?? "").split(" "));
    if (arrived !== null) {
      setText(leftAfter(arrived, latest.current));
      clear();
    }
  }, [props.sent, confirm, setText, clear]);
  const isOffline = state === "offline" || state === "signed_out";
  const write = (typed: string) => {
    setText(typed);
    sending.forget();
  };
  const send = async (isAtOnce = false) => {
    const typed = text;
    if (closed !== undefined || files.isBusy) {
      return;
    }
    const release = holdDraft(name);
    try {
      if (!(await sending.send(typed, files.files))) {
        return;
      }
      setText(leftAfter(typed, latest.current));
      files.clear();
    } finally {
      release();
    }
    if (isAtOnce) {
      await stop?.();
    }
  };
  const withdraw = async (message: WaitingMessage | undefined) => {
    if (message === undefined) {
      sending.notify("You have no queued messages: the agent has received them all.");
      return;
    }
    const withdrawn = await queued.withdraw(message);
    if (withdrawn !== null) {
      write([withdrawn.text, latest.current].filter((part) => part.trim() !== "").join("\n\n"));
      files.put(withdrawn.attachments ?? []);
      sending.notify("Withdrawn: the agent will not receive it.");
      field.current?.focus();
    }
  };
  const isEmpty = text.trim() === "" && files.files.length === 0;
  return (
    <section className={classes.composer} aria-label="Message">
      <Failure
        problem={sending.problem ?? files.problem ?? queued.problem}
        {...(sending.problem === null ? {} : { note: "Your text is saved." })}
      />
      <Queue queued={queued} onWithdraw={(message) => void withdraw(message)} />
      <Files files={files} />
      <Field
        text={text}
        write={write}
        session={props.session}
        commands={commands}
        placeholder={props.placeholder}
        field={field}
        send={(isAtOnce) => void send(isAtOnce)}
        withdraw={() => void withdraw(queued.messages.at(-1))}
        attach={files.add}
      />
      <div className={classes.bar}>
        <AttachButton add={files.add} isBusy={files.isBusy} />
        <span role="status" className={classes.notice}>
          {closed ??
            (isOffline
              ? `${state === "offline" ? "Offline" : "Signed out"}: messages cannot be sent, but your text is saved.`
              : sending.message)}
        </span>
        {facts}
        {isWorking && stop !== undefined && (
          <Button variant="default" onClick={() => void stop()}>
            Stop
          </Button>
        )}
        {isWorking && stop !== undefined && !isEmpty && (
          <Tooltip label="Stops the turn; the agent reads this next">
            <Button variant="default" onClick={() => void send(true)}>
              Stop and send
            </Button>
          </Tooltip>
        )}
        <Button
          loading={sending.isBusy}
          disabled={isEmpty || closed !== undefined || files.isBusy}
          onClick={() => void send()}
        >
          {isWorking ? "Queue" : "Send"} <Keys />
        </Button>
      </div>
    </section>
  );
}

function Keys() {
  return (
    <span className={classes.keys}>
      <Kbd keys="Mod+Enter" />
    </span>
  );
}

function Files({ files }: { readonly files: Attachments }) {
  if (files.files.length === 0) {
    return null;
  }
  return (
    <ul className={classes.files} aria-label="Attached files">
      {files.files.map((file) => (
        <li key={file.content_ref} className={classes.file}>
          <FileText size={14} aria-hidden />
          <Safe text={file.name} />
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label={`Remove ${file.name}`}
            onClick={() => files.remove(file)}
          >
            <X size={14} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

interface AttachProps {
  readonly add: (files: readonly File[]) => Promise<void>;
  readonly isBusy: boolean;
}

function AttachButton({ add, isBusy }: AttachProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Choose files to attach"
        onChange={(event) => {
          void add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <ActionIcon
        size={26}
        variant="subtle"
        color="gray"
        loading={isBusy}
        aria-label="Attach files"
        title="Attach files (or paste, or drop them here)"
        onClick={() => input.current?.click()}
      >
        <Paperclip size={15} aria-hidden />
      </ActionIcon>
    </>
  );
}
