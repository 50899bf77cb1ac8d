/** The ways to stop a thread; pure. */

import type { ThreadCommand } from "@/api/thread_commands";

type Way = readonly [verb: string, what: ThreadCommand, consequence: string];

/** What there is to stop. */
export interface Stoppable {
  /** So many tasks run, or wait for an answer in the middle of it. */
  readonly running: number;
  /** So many are done and wait at their gate: they do not run. */
  readonly atGate: number;
  readonly isPlanning: boolean;
  /** Whether what runs is the work of a plan without tasks. */
  readonly isWork: boolean;
}

/** Return the ways to stop a thread, each with what comes of it. */
export function waysToStop({ running, atGate, isPlanning, isWork }: Stoppable): readonly Way[] {
  if (isPlanning) {
    return [["End planning", "cancel", "No plan is made. The conversation stays available."]];
  }
  const total = running + atGate;
  const inProgress = `${total} ${total === 1 ? "task" : "tasks"}`;
  const stops = isWork
    ? "The work stops"
    : `${atGate > 0 ? `${running} of ` : ""}${inProgress} in progress ${running === 1 ? "stops" : "stop"}`;
  const stays =
    atGate === 1
      ? "1 task waits for your approval and stays."
      : `${atGate} tasks wait for your approval and stay.`;
  const abort: Way = [
    isWork ? "Abort the work" : "Abort running tasks",
    "abort-all",
    `${stops} now; what was done is saved. The plan pauses; you can retry and resume.${atGate > 0 ? ` ${stays}` : ""}`,
  ];
  const ended =
    atGate > 0 ? "Running tasks and those that wait for your approval" : "Running tasks";
  const end: Way = [
    "End the plan",
    "cancel",
    `${ended} are aborted and nothing starts any more. Merged work stays; the rest is kept as checkpoints. This cannot be undone.`,
  ];
  return running > 0 ? [abort, end] : [end];
}
