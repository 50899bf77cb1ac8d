/** Learnings in words: where each stands, and which are shown. */

import type { Schemas } from "@/api/client";
import { formatDuration } from "../../format.ts";

/** A learning as the API has it. */
export type Learning = Schemas["LearningView"];

const OFFERED: ReadonlySet<Learning["standing"]> = new Set(["live", "pinned", "promoting"]);

/** Tell whether planners and tasks are told of a learning. */
export function isOffered(learning: Learning): boolean {
  return OFFERED.has(learning.standing);
}

/** Return learnings by repository, in the order of the list; all, or those that agents are told of. */
export function byRepository(
  learnings: readonly Learning[],
  isWhole: boolean,
): readonly (readonly [string, readonly Learning[]])[] {
  const groups = new Map<string, Learning[]>();
  for (const learning of learnings) {
    if (isWhole || isOffered(learning)) {
      groups.set(learning.repository, [...(groups.get(learning.repository) ?? []), learning]);
    }
  }
  return [...groups];
}

/** Return what the button does that keeps a learning, or lets it expire again. */
export function keepingVerb({ standing }: Learning): string {
  switch (standing) {
    case "pinned":
      return "Let it expire";
    case "removed":
      return "Restore";
    case "promoted":
      return "Offer again";
    default:
      return "Keep";
  }
}

const DAY_MS = 86_400_000;

/** Return how long a learning lives that nobody uses, in words: a setting may say hours. */
export function lifetimeOf(days: number): string {
  return formatDuration(days * DAY_MS, 0, "long");
}

/** Return what a learning's use was, in words. */
export function useOf({ used = 0, offered = 0, seen = 1 }: Learning): string {
  const learned = seen > 1 ? `learned ${seen} times, ` : "";
  return offered === 0 && used === 0
    ? `${learned}not offered yet`
    : `${learned}used ${used}, offered ${offered}`;
}

/** Return what becomes of a learning, in words. */
export function fateOf(learning: Learning): string {
  const day = (learning.expires ?? "").slice(0, 10);
  switch (learning.standing) {
    case "pinned":
      return `kept by ${learning.pinned_by}`;
    case "removed":
      return `removed by ${learning.removed_by}`;
    case "promoted":
      return `in AGENTS.md since ${(learning.promoted_as ?? "").slice(0, 10)}`;
    case "promoting":
      return "proposed for AGENTS.md";
    case "expired":
      return `expired ${day}`;
    default:
      return `expires ${day}`;
  }
}
