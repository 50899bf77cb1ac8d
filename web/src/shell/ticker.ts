/** What the ticker says of a thread; pure. */

import type { Schemas } from "@/api/client";
import { familyOf, waitingIn } from "@/api/lines";
import { plural } from "@/format";
import { RUN_MODES } from "@/plans/autonomy";
import { unansweredWarnings } from "@/plans/warnings";

/** One thing the ticker says. */
export interface TickerPart {
  readonly text: string;
  readonly isWarning: boolean;
}

/** Return the goal, and the parts that there is something to say of. */
export function tickerParts(
  view: Schemas["ThreadView"],
  items: readonly Schemas["InboxItem"][],
): {
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
  const warnings = unansweredWarnings(view).length;
  const asked = waitingIn(items, familyOf(view));
  const facts: [string | false, boolean][] = [
    [view.progress.total > 0 && `${view.progress.done}/${view.progress.total} tasks`, false],
    [asked > 0 && `${asked} ${asked === 1 ? "needs" : "need"} you`, true],
    [view.running.autonomy != null && `mode: ${RUN_MODES[view.running.autonomy]}`, false],
    [working.size > 0 && `working: ${[...working].slice(0, 3).join(", ")}`, false],
    [warnings > 0 && plural(warnings, "warning"), true],
  ];
  const parts = facts.flatMap(([text, isWarning]) => (text === false ? [] : [{ text, isWarning }]));
  return { goal: view.goal || view.topic || view.thread_id, parts };
}
