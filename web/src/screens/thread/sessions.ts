/** The sessions of a thread as tabs: their order, their names, which is shown at first; pure. */

import type { Schemas } from "@/api/client";

type SessionView = Schemas["SessionView"];
type ThreadView = Schemas["ThreadView"];

/** A session with what its tab says. */
export interface Tab {
  readonly view: SessionView;
  /** `session-2`. */
  readonly name: string;
  readonly label: string;
}

const ROLES: Readonly<Record<string, string>> = {
  planner: "Planner: ",
  task_planner: "Planner: ",
  reviewer: "Critic: ",
  code_reviewer: "Reviewer: ",
};

/** Return the short name of a session. */
export function nameOf(sessionId: string): string {
  return sessionId.split("/").at(-1) ?? sessionId;
}

/** Return the tabs, two that would read the same distinguished by their numbers. */
export function tabsOf(thread: ThreadView): readonly Tab[] {
  const labels = thread.sessions.map(labelOf);
  return thread.sessions.map((view, index) => {
    const label = labels[index] ?? "";
    const name = nameOf(view.session_id);
    const isDouble = labels.indexOf(label) !== labels.lastIndexOf(label);
    return { view, name, label: isDouble ? `${label} ${name.replace("session-", "")}` : label };
  });
}

function labelOf(view: SessionView): string {
  const model = view.model ? ` ${view.model}` : "";
  return `${ROLES[view.role] ?? ""}${view.agent}${model}`;
}

/** Return the session that is shown where none is asked for: who is talked to. */
export function firstOf(thread: ThreadView, tabs: readonly Tab[]): Tab | undefined {
  const present = tabs.filter((tab) => !tab.view.is_archived);
  const coordinator = thread.running.coordinator;
  return (
    present.find((tab) => tab.view.session_id === coordinator) ??
    present.findLast((tab) => tab.view.role === "chat") ??
    present[0] ??
    tabs.at(-1)
  );
}

/** Return the status of a session. */
export function sessionStatusOf(view: SessionView): string {
  if (view.questions.length > 0) {
    return "waiting";
  }
  return view.is_working ? "running" : "idle";
}
