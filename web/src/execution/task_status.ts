/** The status of a task, as people see it, whether it needs them, and why it waits; pure. */

import type { EdgeState } from "@/plans/graph/parts";
import type { TaskView, ThreadView } from "@/plans/models";

/** Colours by what they say. */
export type Tone = "ok" | "run" | "wait" | "fail" | "idle" | "plan";

/** How a task is shown. */
export interface TaskStatus {
  /** A status that `ui/Status` knows. */
  readonly status: string;
  readonly tone: Tone;
  /** Why it does not run, or what it does now; empty where the status says all. */
  readonly why: string;
  readonly needsYou: boolean;
  readonly isAtWork: boolean;
}

/** Return the status of a task. */
export function taskStatusOf(task: TaskView): TaskStatus {
  const { status } = task;
  const isAtWork = status === "running" || status === "planning";
  const isAsking = isAtWork && isWaitingForPerson(task);
  const needsYou = status === "needs_decision" || isAsking;
  const shown = isAsking ? "waiting" : shownStatus(task);
  return {
    status: shown,
    tone: TONES[shown] ?? "idle",
    why: isAtWork || status === "pending" || status === "needs_decision" ? task.doing : task.notes,
    needsYou,
    isAtWork,
  };
}

function isWaitingForPerson(task: TaskView): boolean {
  return (
    task.activity === "waiting_for_person" ||
    task.questions.length > 0 ||
    task.waiting_for !== "" ||
    Boolean(task.request)
  );
}

function shownStatus({ status, activity }: TaskView): string {
  const isNearer = activity === "verifying" || activity === "merging";
  return status === "running" && isNearer ? activity : status;
}

const TONES: Readonly<Record<string, Tone>> = {
  completed: "ok",
  running: "run",
  verifying: "run",
  merging: "run",
  planning: "plan",
  waiting: "wait",
  needs_decision: "wait",
  failed: "fail",
  blocked: "fail",
};

/** Say how the edges into a task look. */
export function edgeStateOf(task: TaskView | undefined): EdgeState {
  if (task === undefined) {
    return "plain";
  }
  if (task.status === "completed") {
    return "done";
  }
  const { isAtWork, needsYou } = taskStatusOf(task);
  return isAtWork && !needsYou ? "moving" : isAtWork ? "plain" : "waiting";
}

/** What a running plan comes to, in figures. */
export interface Tally {
  readonly done: number;
  readonly total: number;
  readonly running: number;
  readonly needsYou: number;
  readonly failed: number;
  readonly blocked: number;
}

/** Count the tasks of a thread by status; a decision counts once, not for each task behind it. */
export function tallyOf(thread: ThreadView): Tally {
  const statuses = thread.tasks.map((task) => ({ task, ...taskStatusOf(task) }));
  const asked = statuses.filter(({ needsYou, isAtWork }) => needsYou && isAtWork).length;
  const amendments = thread.amendments.filter(({ status }) => status === "open").length;
  return {
    done: thread.progress.done,
    total: thread.progress.total,
    running: statuses.filter(({ isAtWork, needsYou }) => isAtWork && !needsYou).length,
    needsYou: asked + thread.decisions.length + amendments,
    failed: statuses.filter(({ task }) => task.status === "failed").length,
    blocked: statuses.filter(({ task }) => task.status === "blocked").length,
  };
}

/** The tasks to look at first: what runs, else what needs somebody, else what stopped. */
export function focusOf(tasks: readonly TaskView[]): readonly string[] {
  const statuses = tasks.map((task) => ({ id: task.task_id, ...taskStatusOf(task) }));
  const groups = [
    statuses.filter(({ isAtWork, needsYou }) => isAtWork && !needsYou),
    statuses.filter(({ needsYou }) => needsYou),
    statuses.filter(({ tone }) => tone === "fail"),
    statuses.filter(({ status }) => status === "pending"),
  ];
  return (groups.find((group) => group.length > 0) ?? []).map(({ id }) => id);
}

/** Say who works on a task: the agent of its newest session. */
export function agentOf(task: TaskView): string {
  const session =
    task.sessions.filter(({ role }) => role === "task").at(-1) ?? task.sessions.at(-1);
  return session === undefined ? "" : [session.agent, session.model].filter(Boolean).join(" ");
}

/** The stream of the conversation that works on a task now. */
export function conversationOf(task: TaskView): string | null {
  const working = task.sessions.find(({ is_working }) => is_working);
  return (working ?? task.sessions.at(-1))?.session_id ?? null;
}

/** Say which try it is; the first one goes without saying. */
export function attemptOf(task: TaskView): string {
  const tries = Math.max(task.attempts.length, task.total_attempts);
  const run = task.run > 1 ? `run ${task.run}` : "";
  const attempt = tries > 1 ? `attempt ${tries}` : "";
  return [run, attempt].filter((word) => word !== "").join(", ");
}
