/** What failed, what was kept and what comes next, in words; pure. */

import type { Schemas } from "@/api/client";
import { plural } from "../format.ts";

type TaskView = Schemas["TaskView"];

/** A failure as a person is told of it. */
export interface Failure {
  readonly failed: string;
  readonly saved: string;
  readonly next: string;
  /** What the failed steps said, for those who want to see it. */
  readonly raw: string;
}

/** Tell whether a task stopped before it was completed. */
export function hasStopped(task: TaskView): boolean {
  return ["failed", "blocked", "cancelled"].includes(task.status);
}

/** Word a task's failure. */
export function failureOf(task: TaskView): Failure {
  return { failed: failed(task), saved: savedWork(task), next: next(task), raw: raw(task) };
}

function failedSteps(task: TaskView) {
  return (task.attempts.at(-1)?.steps ?? []).filter((step) => !step.passed && step.is_required);
}

function failed(task: TaskView): string {
  const reason = task.notes.trim() || `the task is ${task.status}`;
  const steps = failedSteps(task).map((step) => step.label || step.step_id);
  const named = steps.length > 0 && task.status === "failed" ? `: ${steps.join(", ")}` : "";
  const text = `${reason}${named}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function savedWork(task: TaskView): string {
  const { snapshot } = task;
  if (snapshot === null || snapshot === undefined) {
    return task.run > 0 ? "It had not changed any files." : "It has not started.";
  }
  const files = snapshot.file_count || snapshot.files.length;
  const size = `+${snapshot.insertions} −${snapshot.deletions} in ${plural(files, "file")}`;
  return `The work is saved at checkpoint ${snapshot.commit.slice(0, 8)} (${size}).`;
}

function next(task: TaskView): string {
  if (task.status === "blocked") {
    return "It continues automatically when its dependencies are completed.";
  }
  return "Dependent tasks wait until it is retried.";
}

function raw(task: TaskView): string {
  return failedSteps(task)
    .map((step) => `${step.label || step.step_id}\n${step.output.trimEnd()}`)
    .join("\n\n");
}
