/** Whose a conflict is, the ways out of it, and what each of them means. */

import type { Schemas } from "../../api/client.ts";
import { WORK } from "../../plans/work.ts";

export type Choice = Schemas["ConflictChoice"];
export type ShownConflict = Schemas["ShownConflict"];

/** A conflict is of a task's merge, a chat's, or that of the branch that the thread's work is meant for. */
export type Kind = "task" | "chat" | "base";

const BASE = "base";

const WAYS: Readonly<Record<Choice, readonly [label: string, meaning: string]>> = {
  keep_a: ["Keep A", "keep the branch's version of these files; drop this task's changes to them"],
  keep_b: ["Keep B", "use this task's version of these files; drop the branch's changes to them"],
  agent: ["Let an agent merge", "an agent combines both sides; the result is verified again"],
  by_hand: ["Merge manually", "creates a worktree with both sides for you"],
  done: ["Mark as resolved", "verifies what is in the worktree"],
  leave: ["Leave unmerged", "merges nothing; the chat keeps its changes"],
};

/** Where the ways of a chat are others: nothing of it is verified. */
const OF_CHATS: Partial<typeof WAYS> = {
  keep_a: ["Keep A", "keep the branch's version of these files; merge the rest of the chat"],
  keep_b: ["Keep B", "use the chat's version of these files; drop the branch's changes to them"],
  agent: ["Let its agent merge", "the chat's agent combines both sides; you look at the result"],
  done: ["Mark as resolved", "merges what is in the worktree"],
};

/** Where the ways of a base are others: what is resolved is verified before the next push. */
const OF_BASES: Partial<typeof WAYS> = {
  keep_a: ["Keep A", "keep the thread's version of these files; merge the rest of the base"],
  keep_b: ["Keep B", "use the base's version of these files; drop the thread's changes to them"],
  done: ["Mark as resolved", "merges what is in the worktree; verified before the next push"],
  leave: ["Leave unmerged", "leaves the base out until it is updated again"],
};

const MERGE = ["Merge the result", "merges what the chat's agent made"] as const;

/** Its name in addresses: `session-2`, `base`, or the task's id. */
export function subjectOf({ task_id, session_id }: ShownConflict["conflict"]): string {
  return session_id?.split("/").at(-1) ?? task_id;
}

export function kindOf(conflict: ShownConflict["conflict"]): Kind {
  if (!conflict.session_id) {
    return "task";
  }
  return subjectOf(conflict) === BASE ? "base" : "chat";
}

/** What a person reads of the side that is to come in. */
export function sideOf(conflict: ShownConflict["conflict"]): string {
  switch (kindOf(conflict)) {
    case "base":
      return "the base";
    case "chat":
      return "this chat";
    case "task":
      return subjectOf(conflict) === WORK ? "the work" : "this task";
  }
}

export function wordsOf({ conflict }: ShownConflict, how: Choice): readonly [string, string] {
  if (how === "done" && conflict.resolution) {
    return MERGE;
  }
  const others = { task: WAYS, chat: OF_CHATS, base: OF_BASES }[kindOf(conflict)];
  return others[how] ?? WAYS[how];
}

/** The answers that a conflict takes now, as the engine's rules have them. */
export function waysOf(stage: ShownConflict["stage"], kind: Kind = "task"): readonly Choice[] {
  if (stage === "preparing" || stage === "checking") {
    return [];
  }
  const first: readonly Choice[] = stage === "resolved" ? ["done"] : [];
  const agent: readonly Choice[] = stage === "resolving" || kind === "base" ? [] : ["agent"];
  const last: readonly Choice[] = kind === "task" ? [] : ["leave"];
  const own: Choice = stage === "by_hand" ? "done" : "by_hand";
  return [...first, "keep_a", "keep_b", ...agent, own, ...last];
}
