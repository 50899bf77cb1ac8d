/** Asks the page's worker, the latest question first, and gives up one that takes too long. */

import type { Calls } from "@/ui/background/calls";
import type { Answer, Question } from "@/ui/background/worker";
import { BACKGROUND_WORKER, trustedScript } from "@/ui/scripts";

/** A text may be made to keep a grammar busy for ever: it stays plain then. */
const PATIENCE_MS = 8000;

interface Waiting {
  readonly question: Question;
  readonly answer: (result: unknown) => void;
}

const waiting: Waiting[] = [];
let asked: Waiting | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let worker: Worker | null = null;
let number = 0;

/** Ask the worker; null where nobody can say, or where it is no longer wanted. */
export function ask<C extends keyof Calls>(
  call: C,
  args: Parameters<Calls[C]>,
  signal?: AbortSignal,
): Promise<ReturnType<Calls[C]> | null> {
  return new Promise((resolve) => {
    if (typeof Worker === "undefined" || signal?.aborted) {
      resolve(null);
      return;
    }
    const question = { id: ++number, call, args };
    const one = { question, answer: (found: unknown) => resolve(found as ReturnType<Calls[C]>) };
    waiting.push(one);
    signal?.addEventListener("abort", () => {
      const at = waiting.indexOf(one);
      if (at >= 0) {
        waiting.splice(at, 1);
        resolve(null);
      }
    });
    goOn();
  });
}

function goOn(): void {
  if (asked !== null) {
    return;
  }
  asked = waiting.pop() ?? null;
  if (asked === null) {
    return;
  }
  try {
    worker ??= begin();
    worker.postMessage(asked.question);
    timer = setTimeout(giveUp, PATIENCE_MS);
  } catch {
    giveUp(); // the browser starts no worker, or has no room for the question: the others are asked all the same
  }
}

function begin(): Worker {
  const fresh = new Worker(trustedScript(BACKGROUND_WORKER));
  fresh.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    if (data.id === asked?.question.id) {
      end(data.result);
    }
  });
  fresh.addEventListener("error", giveUp);
  return fresh;
}

function giveUp(): void {
  worker?.terminate();
  worker = null;
  end(null);
}

function end(result: unknown): void {
  const ended = asked;
  clearTimeout(timer);
  asked = null;
  ended?.answer(result);
  goOn();
}
