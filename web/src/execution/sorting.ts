/** The order of tasks in the table; pure. */

import type { TaskView } from "@/plans/models";
import { paidOf } from "../ui/money.ts";
import { taskStatusOf } from "./task_status.ts";

/** What the table can be sorted by. */
export type Column = "plan" | "status" | "task" | "agent" | "time" | "cost";

/** A column, and whether the last comes first. */
export interface Order {
  readonly column: Column;
  readonly isDown: boolean;
}

const RANKS: Readonly<Record<string, number>> = {
  waiting: 0,
  needs_decision: 0,
  failed: 1,
  blocked: 1,
  running: 2,
  verifying: 2,
  merging: 2,
  planning: 2,
  pending: 3,
  completed: 4,
  cancelled: 5,
};

/** Return tasks in an order; those that are equal stay in plan order. */
export function sorted(
  tasks: readonly TaskView[],
  { column, isDown }: Order,
  agentOf: (task: TaskView) => string,
): readonly TaskView[] {
  const found = [...tasks];
  const way = isDown ? -1 : 1;
  const compare: Readonly<Record<Column, (a: TaskView, b: TaskView) => number>> = {
    plan: (a, b) => tasks.indexOf(a) - tasks.indexOf(b),
    status: (a, b) => rankOf(a) - rankOf(b),
    task: (a, b) => a.title.localeCompare(b.title),
    agent: (a, b) => agentOf(a).localeCompare(agentOf(b)),
    time: (a, b) => lengthOf(a) - lengthOf(b),
    cost: (a, b) => paidOf(a.money) - paidOf(b.money),
  };
  return found.sort((a, b) => way * compare[column](a, b));
}

function rankOf(task: TaskView): number {
  return RANKS[taskStatusOf(task).status] ?? 6;
}

function lengthOf({ started_at, ended_at }: TaskView): number {
  if (!started_at) {
    return 0;
  }
  return (ended_at ? Date.parse(ended_at) : Date.now()) - Date.parse(started_at);
}

/** Return the order after a click on a column: the other way, then back to the plan's. */
export function clicked(order: Order, column: Column): Order {
  if (order.column !== column) {
    return { column, isDown: false };
  }
  return order.isDown ? { column: "plan", isDown: false } : { column, isDown: true };
}
