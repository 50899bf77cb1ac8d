/** How an attempt at verification stands, in one word; pure. */

import type { Schemas } from "@/api/client";

/** Say how an attempt stands; one that verified nothing has not passed. */
export function attemptStatusOf(attempt: Schemas["VerificationAttempt"]): string {
  if (!attempt.is_finished) {
    return "verifying";
  }
  if (attempt.held !== "") {
    return "waiting";
  }
  if (attempt.steps.length === 0) {
    return "unverified";
  }
  return attempt.steps.every((step) => step.passed || !step.is_required) ? "passed" : "failed";
}

/** Say how an attempt in a conversation stands, by its verdict. */
export function verdictStatusOf(
  passed: boolean | null,
  steps: readonly unknown[],
  held: string,
): string {
  if (passed === null) {
    return "verifying";
  }
  if (passed && steps.length === 0 && held === "") {
    return "unverified";
  }
  return passed ? "passed" : "failed";
}
