/** Commands: one id for each intent, never optimistic, refusals kept on screen beside what was typed. */

import { createContext, useCallback, useContext, useEffect, useRef, useState } from "react";
import { newCommandId, Problem } from "@/api/client";
import { type Intent, intentFor, isDecided } from "@/api/intent";
import { forget, isWriting, type Subject, wasRefused } from "@/api/unsent";

/** The state of a command: not sent, under way, answered, or refused. */
export type CommandState = "idle" | "sending" | "recorded" | "refused";

/** A command that a component sends. */
export interface Command<A extends unknown[], R> {
  readonly state: CommandState;
  readonly problem: Problem | null;
  readonly send: (...args: A) => Promise<R | null>;
  readonly reset: () => void;
}

/** The type of a refusal whose question goes from the screen: somebody else has answered it. */
const ALREADY_DECIDED = "already_decided";

/** Gets the state of the commands of a card, also once the card is gone. */
export const CommandStateContext = createContext<(state: CommandState) => void>(() => {});

function unnamed(commandId: string): Subject {
  return { requestId: commandId, title: "", threadId: "", taskId: "", draft: "" };
}

/**
 * Return a command with its state; `run` gets the command id first.
 *
 * Sent again after a failure on the way, or where the engine could not confirm it, the same keeps
 * its id, so the engine carries it out once. A refusal ends the intent: the next one has a new id.
 * While one is under way another is not begun. A refusal that nobody would see any more, as what was answered is gone
 * from the screen or goes, is told above the screen; `about` says what it was.
 */
export function useCommand<A extends unknown[], R>(
  run: (commandId: string, ...args: A) => Promise<R>,
  about?: Subject,
): Command<A, R> {
  const [state, setState] = useState<CommandState>("idle");
  const [problem, setProblem] = useState<Problem | null>(null);
  const intent = useRef<Intent | null>(null);
  const isSending = useRef(false);
  const isGone = useRef(false);
  const notify = useContext(CommandStateContext);
  const newest = useRef({ run, about, notify });
  newest.current = { run, about, notify };
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const send = useCallback(async (...args: A): Promise<R | null> => {
    if (isSending.current) {
      return null;
    }
    isSending.current = true;
    intent.current = intentFor(intent.current, JSON.stringify(args), newCommandId);
    const { id } = intent.current;
    const { run, about, notify } = newest.current;
    const subject = about ?? unnamed(id);
    forget(subject);
    const report = (now: CommandState) => {
      setState(now);
      notify(now);
    };
    report("sending");
    setProblem(null);
    try {
      const answer = await run(id, ...args);
      intent.current = null;
      report("recorded");
      return answer;
    } catch (error) {
      const refusal =
        error instanceof Problem ? error : new Problem("defect", "Unexpected error", String(error));
      if (isDecided(refusal.status)) {
        intent.current = null;
      }
      if (refusal.type === ALREADY_DECIDED || (isGone.current && refusal.status > 0)) {
        wasRefused(subject, refusal.detail);
      } else {
        isWriting(subject);
      }
      setProblem(refusal);
      report("refused");
      return null;
    } finally {
      isSending.current = false;
    }
  }, []);
  const reset = useCallback(() => {
    setState("idle");
    setProblem(null);
  }, []);
  return { state, problem, send, reset };
}
