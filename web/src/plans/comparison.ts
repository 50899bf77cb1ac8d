/** Plans side by side as rows of words: what differs, and what all say; pure. */

import type { Schemas } from "@/api/client";
import type { Plan } from "@/plans/models";
import type { Planner } from "@/plans/planners";
import { consequencesOf, listed } from "./consequences.ts";

/** One criterion, with what each plan says to it. */
export interface Row {
  readonly label: string;
  readonly cells: readonly string[];
  readonly isEqual: boolean;
}

interface Side {
  readonly summary: Schemas["PlanSummary"];
  readonly plan: Plan;
}

/** Return the rows of a comparison; a criterion that no plan says anything to is left out. */
export function rowsOf(sides: readonly Side[], agent: string): readonly Row[] {
  const found = sides.map(({ plan }) => consequencesOf(plan, agent));
  const all = sides.map(({ plan }) => plan.tasks.map(({ id }) => id));
  const row = (label: string, cellOf: (side: Side, index: number) => string): Row => {
    const cells = sides.map(cellOf);
    return { label, cells, isEqual: new Set(cells).size === 1 };
  };
  return [
    row("Approach", ({ summary }) => summary.approach),
    row("Summary", ({ summary }) => summary.summary),
    row("Tasks", ({ summary }) => String(summary.tasks)),
    row("Unique tasks", (_, index) => listed(onlyIn(all, index), 12)),
    row("Child threads", ({ summary }) => numberOf(summary.child_threads)),
    row("Parallel groups", ({ summary }) => groupsOf(summary.parallel_groups)),
    row("Parallelism", (_, index) => `up to ${found[index]?.width ?? 1}`),
    row("Longest chain", ({ summary }) => summary.critical_path.join(" → ")),
    row("Key risk", ({ summary }) => summary.key_risk),
    row("Questions for you", ({ summary }) => numberOf(summary.decisions)),
    row("Gates", (_, index) => listed(found[index]?.gates ?? [], 12) || "nothing"),
    row("Warnings", ({ summary }) => numberOf(summary.warnings)),
    row("Agents", (_, index) => listed(found[index]?.agents ?? [])),
    row("Ports", (_, index) => listed(found[index]?.ports ?? [])),
    row("Verification steps", (_, index) => String(found[index]?.steps ?? 0)),
    row("Likely files", ({ summary }) => listed(summary.files, 12)),
    row("Limits", ({ summary }) => mostOf(summary.cost)),
    row("Expected", ({ summary }) => expectedOf(summary.cost)),
  ].filter(({ cells }) => cells.some((cell) => cell !== ""));
}

function onlyIn(all: readonly (readonly string[])[], index: number): readonly string[] {
  const others = new Set(all.flatMap((ids, other) => (other === index ? [] : ids)));
  return (all[index] ?? []).filter((id) => !others.has(id));
}

function groupsOf(groups: readonly (readonly string[])[]): string {
  return groups.length === 0 ? "" : `${groups.length}: ${groups.map((g) => g.length).join(" + ")}`;
}

function numberOf(count: number): string {
  return count === 0 ? "" : String(count);
}

type Cost = Schemas["PlanSummary"]["cost"];

function costOf(turns: number | null | undefined, tokens: number | null | undefined): string {
  return [
    turns ? `${turns.toLocaleString("en")} turns` : "",
    tokens ? `${tokens.toLocaleString("en")} tokens` : "",
  ]
    .filter((word) => word !== "")
    .join(", ");
}

function mostOf(cost: Cost): string {
  return costOf(cost.turns_at_most, cost.tokens_at_most);
}

function expectedOf(cost: Cost): string {
  return costOf(cost.expected_turns, cost.expected_tokens);
}

/**
 * Return the selected planner while its plan can be decided on: it waits, and it is what was read.
 *
 * A plan is selected by its revision, so a newer one of the same planner is selected anew.
 */
export function takenOf(
  planners: readonly Planner[],
  selected: number | null,
  read: readonly number[],
): Planner | undefined {
  return planners.find(
    ({ newest, isWaiting }) =>
      isWaiting && newest !== null && newest.revision === selected && read.includes(selected),
  );
}

/** Say what selecting a plan does to the others. */
export function othersWords(
  others: readonly { readonly letter: string; readonly isWorking: boolean }[],
): string {
  const closed = others.filter(({ isWorking }) => !isWorking).map(({ letter }) => letter);
  const stopped = others.filter(({ isWorking }) => isWorking).map(({ letter }) => letter);
  return [
    closed.length > 0 ? `${closed.join(", ")} ${closed.length === 1 ? "is" : "are"} closed` : "",
    stopped.length > 0 ? `${stopped.join(", ")} stops planning` : "",
    others.length > 0 ? "all plans stay available" : "",
  ]
    .filter((word) => word !== "")
    .join(" · ");
}
