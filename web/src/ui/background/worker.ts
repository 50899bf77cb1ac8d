/** The page's worker: colours code and compares texts while the page goes on. */

import { CALLS, type Calls } from "./calls.ts";

/** A question, with a number that its answer has. */
export interface Question {
  readonly id: number;
  readonly call: keyof Calls;
  readonly args: readonly unknown[];
}

/** An answer; without a result nobody knows it. */
export interface Answer {
  readonly id: number;
  readonly result: unknown;
}

interface Scope {
  postMessage(answer: Answer): void;
  addEventListener(type: "message", listen: (event: MessageEvent<Question>) => void): void;
}

const scope = self as unknown as Scope;

scope.addEventListener("message", ({ data: { id, call, args } }) => {
  const run = CALLS[call] as (...given: readonly unknown[]) => unknown;
  scope.postMessage({ id, result: resultOf(() => run(...args)) });
});

/** A grammar that fails on a text leaves it as it is. */
function resultOf(run: () => unknown): unknown {
  try {
    return run();
  } catch {
    return null;
  }
}
