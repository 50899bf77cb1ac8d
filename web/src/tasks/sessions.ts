/** What the sessions of a task are called; pure. */

import type { Schemas } from "@/api/client";

type SessionView = Schemas["SessionView"];

const ROLES: Readonly<Record<string, string>> = {
  task_planner: "Planner",
  reviewer: "Plan review",
  code_reviewer: "Review",
};

/** Name a session: `1 Claude`, `Planner: Claude`, `Review: Codex · m1`. */
export function labelOf(session: SessionView, among: readonly SessionView[]): string {
  const agent = session.model ? `${session.agent} · ${session.model}` : session.agent;
  const role = ROLES[session.role];
  if (role !== undefined) {
    return `${role}: ${agent}`;
  }
  const workers = among.filter((one) => ROLES[one.role] === undefined);
  return `${workers.indexOf(session) + 1} ${agent}`;
}

/** Return the session that is shown where nobody chose: that which works, plans, or does the task. */
export function firstOf(task: Schemas["TaskView"]): string | null {
  const { sessions } = task;
  const working = sessions.find((session) => session.is_working);
  const planner = sessions.findLast((session) => session.role === "task_planner");
  const worker = sessions.find((session) => ROLES[session.role] === undefined);
  const planning = task.status === "planning" ? planner : undefined;
  return (
    (working ?? planning ?? worker ?? sessions[0] ?? task.earlier_sessions.at(-1))?.session_id ??
    null
  );
}
