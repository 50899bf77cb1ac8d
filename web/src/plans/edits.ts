/** Changes that a person makes to a plan before they approve it; pure. */

import type { Plan, PlannedTask } from "@/plans/models";

/** The fields of a task that the editor changes. */
export type TaskEdit = Partial<
  Pick<PlannedTask, "title" | "description" | "depends_on" | "gate" | "plan_approval" | "best_of">
>;

/** All that was changed: per task, and which tasks are gone. */
export interface PlanEdit {
  readonly fields: Partial<Pick<Plan, "approach" | "summary" | "key_risk">>;
  readonly tasks: Readonly<Record<string, TaskEdit>>;
  readonly removed: readonly string[];
}

/** Nothing changed. */
export const NO_EDIT: PlanEdit = { fields: {}, tasks: {}, removed: [] };

/** Return a plan with the changes; what waited for a removed task waits for what that one waited for. */
export function editedPlan(plan: Plan, edit: PlanEdit): Plan {
  const removed = new Set(edit.removed);
  const needs = new Map(plan.tasks.map((task) => [task.id, task.depends_on]));
  const bridged = (ids: readonly string[], path: readonly string[] = []): string[] => [
    ...new Set(
      ids.flatMap((id) =>
        removed.has(id)
          ? path.includes(id)
            ? []
            : bridged(needs.get(id) ?? [], [...path, id])
          : [id],
      ),
    ),
  ];
  return {
    ...plan,
    ...edit.fields,
    tasks: plan.tasks
      .filter(({ id }) => !removed.has(id))
      .map((task) => {
        const changed = { ...task, ...edit.tasks[task.id] };
        return { ...changed, depends_on: bridged(changed.depends_on) };
      }),
  };
}

/** Read the ids that somebody typed, with commas or spaces between them. */
export function idsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((id) => id !== ""))];
}

/** Read the agents that do a task at once, with commas between them; none is one agent, whatever the template says. */
export function bestOfOf(
  text: string,
  before: PlannedTask["best_of"],
): NonNullable<PlannedTask["best_of"]> {
  const agents = [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);
  return { ends: "all", judge: "", ...before, agents };
}

/** Say what is wrong with dependencies before the door says it. */
export function dependencyProblem(
  id: string,
  depends_on: readonly string[],
  known: readonly string[],
): string {
  if (depends_on.includes(id)) {
    return "a task cannot depend on itself";
  }
  const unknown = depends_on.filter((other) => !known.includes(other));
  return unknown.length === 0 ? "" : `no such task: ${unknown.join(", ")}`;
}
