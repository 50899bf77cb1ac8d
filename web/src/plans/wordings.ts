/** Changes between plans, and plans' parts, in few words; pure. */

import type { PlanChanges, PlannedTask } from "@/plans/models";

/** Say changes in one line: `+ limiter`, `− docs`, `~ routes (depends on)`, `approach`; empty where both say the same. */
export function changeWords(changes: PlanChanges): string {
  const parts = [
    ...[...changes.tasks, ...changes.decisions].map(({ sign, id, fields }) => {
      const names = fields.map(({ field }) => field).join(", ");
      return `${sign === "-" ? "−" : sign} ${id}${names === "" ? "" : ` (${names})`}`;
    }),
    ...changes.fields.map(({ field }) => `~ ${field}`),
    ...(changes.is_reordered ? ["reordered"] : []),
  ];
  return parts.join(", ");
}

/** Say who approves what of a task. */
export function approvalWords(task: PlannedTask): string {
  const plan = {
    auto: "plan reviewed by an agent",
    user: "plan needs your approval",
    none: "not planned first",
  };
  const gates = { auto: "merges automatically", ask: "needs your approval" };
  const gate = task.gate == null ? "gate from the template" : gates[task.gate];
  return [task.plan_approval === null ? "" : plan[task.plan_approval ?? "auto"], gate]
    .filter((word) => word !== "")
    .join(", ");
}

/** What is said of a task or a plan without steps, wherever it is. */
export const NO_STEPS = "no verification steps";

/** Say what one verification step does. */
export function stepWords(step: PlannedTask["verification"][number]): string {
  const what = step.command ?? step.url ?? step.path ?? step.prompt ?? "";
  return `${step.label === "" ? step.type : step.label}${what === "" ? "" : `: ${what}`}${
    step.required ? "" : " (optional)"
  }${step.parallel_group == null ? "" : ` (group ${step.parallel_group})`}${
    step.keep?.length ? ` (keeps ${step.keep.join(", ")})` : ""
  }`;
}

/** Find the words of a refused plan that are about one task, and those about no task. */
export function problemsOf(detail: string, tasks: readonly string[]) {
  const lines = detail.split("\n").map((line) => line.replace(/^- /, ""));
  const byTask = new Map<string, readonly string[]>();
  const others: string[] = [];
  for (const line of lines) {
    const named = /^task '([^']*)'/.exec(line)?.[1];
    if (named !== undefined && tasks.includes(named)) {
      byTask.set(named, [...(byTask.get(named) ?? []), line.replace(/^task '[^']*'[,:]? */, "")]);
    } else {
      others.push(line);
    }
  }
  return { byTask, others };
}
