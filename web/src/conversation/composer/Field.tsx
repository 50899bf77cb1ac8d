/** The field that a message is typed into: it completes commands and files, and takes files. */

import { Textarea } from "@mantine/core";
import {
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Choices } from "@/conversation/composer/Choices";
import { useCompletions } from "@/conversation/composer/completions";
import classes from "@/conversation/composer/composer.module.css";
import type { SlashCommand } from "@/conversation/composer/slash";

interface Props {
  readonly text: string;
  readonly write: (text: string) => void;
  readonly session: string;
  readonly commands: readonly SlashCommand[];
  readonly placeholder?: string | undefined;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Sends it; at once, if the running turn is to be stopped for it. */
  readonly send: (isAtOnce: boolean) => void;
  /** Takes the newest message back that waits. */
  readonly withdraw: () => void;
  readonly attach: (files: readonly File[]) => Promise<void>;
}

/** More than that is no message any more: it goes with it as a file, and the field stays quick. */
const LONG_PASTE = 20_000;

/** Return the files that are pasted: a long text is one. */
function filesOf(pasted: DataTransfer): readonly File[] {
  const text = pasted.getData("text/plain");
  return text.length > LONG_PASTE
    ? [new File([text], "pasted.txt", { type: "text/plain" })]
    : [...pasted.files];
}

/** Show the field; the list of choices above it is worked by its keys. */
export function Field({ text, write, send, withdraw, attach, field, ...props }: Props) {
  const menu = useId();
  const [caret, setCaret] = useState(text.length);
  const wanted = useRef<number | null>(null);
  const [active, setActive] = useState(0);
  const [hiddenFor, setHiddenFor] = useState<string | null>(null);
  const { label, choices, note, taken } = useCompletions(
    { text, caret: Math.min(caret, text.length) },
    props.session,
    props.commands,
  );
  const isOpen = choices.length > 0 && hiddenFor !== text;
  const at = Math.min(active, choices.length - 1);
  useLayoutEffect(() => {
    if (wanted.current !== null) {
      field.current?.setSelectionRange(wanted.current, wanted.current);
      wanted.current = null;
    }
  });
  const choose = (index: number) => {
    const chosen = taken(index);
    wanted.current = chosen.caret;
    setCaret(chosen.caret);
    setActive(0);
    write(chosen.text);
    field.current?.focus();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isMod = event.metaKey || event.ctrlKey;
    if (event.nativeEvent.isComposing) {
      return;
    }
    if (event.key === "Enter" && isMod) {
      event.preventDefault();
      send(event.shiftKey);
    } else if (event.key === "ArrowUp" && event.altKey) {
      event.preventDefault();
      withdraw();
    } else if (event.key === "Escape" && !isOpen) {
      event.currentTarget.blur();
    } else if (isOpen) {
      pressMenu(event);
    }
  };
  const pressMenu = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const steps = { ArrowDown: 1, ArrowUp: choices.length - 1 } as Record<string, number>;
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive((at + step) % choices.length);
    } else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      event.preventDefault();
      choose(at);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      setHiddenFor(text);
    }
  };
  return (
    <div className={classes.fieldFrame}>
      {isOpen && (
        <Choices
          id={menu}
          label={label}
          choices={choices}
          active={at}
          note={note}
          onChoose={choose}
        />
      )}
      {/* no combobox: that role is not for fields of several lines */}
      <span role="status" className="visually-hidden">
        {isOpen && `${choices.length} ${label.toLowerCase()}: use the arrow keys, then Enter`}
      </span>
      <Textarea
        ref={field}
        aria-label="Message to the agent"
        placeholder={props.placeholder ?? "Message…   / for commands, @ for files"}
        autosize
        minRows={2}
        maxRows={14}
        value={text}
        aria-haspopup="listbox"
        aria-controls={isOpen ? menu : undefined}
        aria-activedescendant={isOpen ? `${menu}-${at}` : undefined}
        aria-autocomplete="list"
        onChange={(event) => {
          setCaret(event.currentTarget.selectionStart);
          write(event.currentTarget.value);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={press}
        onPaste={(event) => {
          const pasted = filesOf(event.clipboardData);
          if (pasted.length > 0) {
            event.preventDefault();
            void attach(pasted);
          }
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          const dropped = [...event.dataTransfer.files];
          if (dropped.length > 0) {
            event.preventDefault();
            void attach(dropped);
          }
        }}
      />
    </div>
  );
}
