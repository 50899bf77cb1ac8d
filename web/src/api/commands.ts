/** Commands: one id for each intent, never optimistic, refusals kept on screen beside what was typed. */

import { useCallback, useRef, useState } from "react";
import { newCommandId, Problem } from "@/api/client";

/** Where a command stands: not sent, under way, answered, or refused. */
export type CommandState = "idle" | "sending" | "recorded" | "refused";

/** A command that a component sends. */
export interface Command<A extends unknown[], R> {
  readonly state: CommandState;
  readonly problem: Problem | null;
  readonly send: (...args: A) => Promise<R | null>;
  readonly reset: () => void;
}

/**
 * Return a command with its state; `run` gets the command id first.
 *
 * Sent again after a failure on the way, it keeps its id, so the engine carries it out once. A
 * refusal of the engine itself ends the intent: the next one has a new id. While one is under way
 * another is not begun.
 */
export function useCommand<A extends unknown[], R>(
  run: (commandId: string, ...args: A) => Promise<R>,
): Command<A, R> {
  const [state, setState] = useState<CommandState>("idle");
  const [problem, setProblem] = useState<Problem | null>(null);
  const intent = useRef<string | null>(null);
  const isSending = useRef(false);
  const newest = useRef(run);
  newest.current = run;
  const send = useCallback(async (...args: A): Promise<R | null> => {
    if (isSending.current) {
      return null;
    }
    isSending.current = true;
    intent.current ??= newCommandId();
    setState("sending");
    setProblem(null);
    try {
      const answer = await newest.current(intent.current, ...args);
      intent.current = null;
      setState("recorded");
      return answer;
    } catch (error) {
      const told =
        error instanceof Problem ? error : new Problem("defect", "Defect", String(error));
      if (told.status > 0) {
        intent.current = null;
      }
      setProblem(told);
      setState("refused");
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
