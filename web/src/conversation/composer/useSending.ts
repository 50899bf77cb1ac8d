/** Sends what was typed: as a message or a command, once for each intent, refused with the text kept. */

import { useCallback, useState } from "react";
import { newCommandId, Problem } from "@/api/client";
import { type Intent, intentFor, isDecided } from "@/api/intent";
import type { Attachment } from "@/conversation/composer/attachments";
import { commandOf, isSlash, type SlashCommand } from "@/conversation/composer/slash";
import { useDraft } from "@/ui/draft";

/** Says something to whom the composer belongs. */
export type SendMessage = (
  commandId: string,
  text: string,
  files: readonly Attachment[],
) => Promise<string>;

/** The state of sending; `message` is the result of the newest one. */
export interface Sending {
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly message: string;
  /** Send; tells whether it was taken. */
  readonly send: (text: string, files: readonly Attachment[]) => Promise<boolean>;
  readonly forget: () => void;
  /** Take what was not confirmed for sent where its id is among these; returns its text. */
  readonly confirm: (ids: readonly string[]) => string | null;
  /** Show a message about what was sent. */
  readonly notify: (message: string) => void;
}

/**
 * Return how what is typed is sent.
 *
 * What is on its way, or could not be confirmed, is remembered under the name of its draft, over a reload
 * too: sent again, it is the same command.
 */
export function useSending(
  name: string,
  say: SendMessage,
  commands: readonly SlashCommand[],
): Sending {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [note, setMessage] = useState("");
  const [open, setOpen] = useDraft(`${name}.unconfirmed`);
  const send = async (text: string, files: readonly Attachment[]) => {
    if (isBusy || (text.trim() === "" && files.length === 0)) {
      return false;
    }
    const label = JSON.stringify([text, files.map((file) => file.content_ref)]);
    const intent = intentFor(
      open === "" ? null : (JSON.parse(open) as Intent),
      label,
      newCommandId,
    );
    setBusy(true);
    setProblem(null);
    setOpen(JSON.stringify(intent));
    try {
      setMessage(await taken(intent.id, text, files, { say, commands }));
      setOpen("");
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      setProblem(error);
      setOpen(isDecided(error.status) ? "" : JSON.stringify(intent));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const confirm = useCallback(
    (ids: readonly string[]) => {
      const waiting = open === "" ? null : (JSON.parse(open) as Intent);
      if (isBusy || waiting === null || !ids.includes(waiting.id)) {
        return null;
      }
      setProblem(null);
      setOpen("");
      return (JSON.parse(waiting.text) as [string, unknown])[0];
    },
    [open, isBusy, setOpen],
  );
  const forget = () => {
    setProblem(null);
    setMessage("");
  };
  return { isBusy, problem, message: note, send, forget, confirm, notify: setMessage };
}

interface Ways {
  readonly say: SendMessage;
  readonly commands: readonly SlashCommand[];
}

/** Carry out a command of ours; say everything else. */
function taken(
  id: string,
  text: string,
  files: readonly Attachment[],
  { say, commands }: Ways,
): Promise<string> {
  const typed = commandOf(text, commands);
  if (typed?.command.run !== undefined) {
    return typed.command.run(id, typed.argument);
  }
  if (typed === null && isSlash(text)) {
    const name = text.split(/\s/, 1)[0];
    throw new Problem(
      "unknown_command",
      "Not sent",
      `unknown command ${name}; type / to see all commands, or put a space before it to send it as text`,
    );
  }
  return say(id, text, files);
}
