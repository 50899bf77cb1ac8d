/** What speaks for and against a task's change; pure. */

import type { Schemas } from "@/api/client";

type TaskView = Schemas["TaskView"];

/** The steps of a task's newest attempt, counted, and the size of its change. */
export interface Evidence {
  readonly attempt: number | null;
  readonly passed: number;
  readonly failed: number;
  readonly failedOptional: number;
  readonly findings: number;
  readonly insertions: number;
  readonly deletions: number;
  readonly files: number;
}

/** Count what a task's newest attempt found. */
export function evidenceOf(task: TaskView): Evidence {
  const attempt = task.attempts.at(-1);
  const steps = attempt?.steps ?? [];
  const snapshot = task.snapshot;
  return {
    attempt: attempt?.attempt ?? null,
    passed: steps.filter((step) => step.passed).length,
    failed: steps.filter((step) => !step.passed && step.is_required).length,
    failedOptional: steps.filter((step) => !step.passed && !step.is_required).length,
    findings: steps.reduce((count, step) => count + step.findings.length, 0),
    insertions: snapshot?.insertions ?? 0,
    deletions: snapshot?.deletions ?? 0,
    files: snapshot ? snapshot.file_count || snapshot.files.length : 0,
  };
}
