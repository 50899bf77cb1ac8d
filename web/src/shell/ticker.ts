/** What the ticker says of a thread; pure. */

import type { Schemas } from "@/api/client";

/** One thing the ticker says. */
export interface TickerPart {
  readonly text: string;
  readonly isWarning: boolean;
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** Return the goal, and the parts that there is something to say of. */
export function tickerParts(view: Schemas["ThreadView"]): {
  goal: string;
  parts: readonly TickerPart[];
} {
  const tasks = view.tasks;
  const sessions = view.sessions.filter((session) => session.is_working);
  const running = tasks.filter((task) => task.status === "running" && task.waiting_for === "");
  const working = new Set([
    ...sessions.map((session) => session.agent),
    ...running.map((task) => task.task_id),
  ]);
  const asked = view.requests.length + view.questions.length;
  const said: [string | false, boolean][] = [
    [view.progress.total > 0 && `${view.progress.done}/${view.progress.total} tasks`, false],
    [view.decisions.length > 0 && count(view.decisions.length, "decision"), true],
    [asked > 0 && `${asked} ${asked === 1 ? "needs" : "need"} you`, true],
    [working.size > 0 && `works: ${[...working].slice(0, 3).join(", ")}`, false],
    [view.warnings.length > 0 && count(view.warnings.length, "warning"), true],
  ];
  const parts = said.flatMap(([text, isWarning]) => (text === false ? [] : [{ text, isWarning }]));
  return { goal: view.goal || view.topic || view.thread_id, parts };
}
