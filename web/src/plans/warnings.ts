/** The warnings of a thread that nobody has answered for yet; pure. */

import type { ThreadView } from "@/plans/models";

/** Return a thread's warnings without those of its plans: each plan asks for these at its approval. */
export function unansweredWarnings({
  warnings,
  plans,
}: Pick<ThreadView, "warnings" | "plans">): readonly string[] {
  const asked = new Set(plans.flatMap((plan) => plan.warnings.map(({ text }) => text)));
  return warnings.filter((text) => !asked.has(text));
}
