/** How much a plan runs without asking once it is approved, in words; pure. */

import type { Autonomy, AutonomyOption, PlannedTask } from "@/plans/models";
import { joinWords, plural } from "../format.ts";

type Stopping = Pick<PlannedTask, "id" | "runs_as" | "gate" | "plan_approval">;

/** What is chosen where nothing else is: as the plan and its template say. */
export const AS_PLANNED = "as_planned";

/** One way to run: a autonomy, or as it is planned. */
export type RunMode = Autonomy | typeof AS_PLANNED;

/** What each is called, in the order they are shown. */
export const RUN_MODES: Readonly<Record<RunMode, string>> = {
  as_planned: "as planned",
  each_plan: "approve each task plan",
  gates: "approve at gates",
  auto: "auto",
};

/** Return the autonomy that the template has, where the plan stops just there; else it is as planned. */
export function presetOf(options: readonly AutonomyOption[]): RunMode {
  const own = stopsIn(options, AS_PLANNED);
  const usual = options.find(({ is_usual }) => is_usual);
  const isSameHere =
    own && usual && isSame(own.plans, usual.plans) && isSame(own.gates, usual.gates);
  return (isSameHere && usual.autonomy) || AS_PLANNED;
}

/** Return where a plan stops in a mode. */
export function stopsIn(
  options: readonly AutonomyOption[],
  mode: RunMode,
): AutonomyOption | undefined {
  return options.find(({ autonomy }) => (autonomy ?? AS_PLANNED) === mode);
}

/** Return tasks with what they leave to the template, where that is known; a child thread has stops of its own. */
export function withStops<T extends Stopping>(
  tasks: readonly T[],
  stops: AutonomyOption | undefined,
): readonly T[] {
  return tasks.map((task) =>
    stops === undefined || task.runs_as === "thread"
      ? task
      : {
          ...task,
          gate: task.gate ?? (stops.gates.includes(task.id) ? "ask" : "auto"),
          plan_approval: task.plan_approval ?? (stops.plans.includes(task.id) ? "user" : null),
        },
  );
}

/** Say how often it stops for a person. */
export function describeStops({ plans, gates }: AutonomyOption, threads: number): string {
  const places = [
    plans.length > 0 ? plural(plans.length, "task plan") : "",
    gates.length > 0 ? plural(gates.length, "gate") : "",
    threads > 0
      ? `the ${threads === 1 ? "plan" : "plans"} of ${plural(threads, "child thread")}`
      : "",
  ].filter((part) => part !== "");
  return places.length > 0
    ? `asks for your approval at ${joinWords(places)}; stops on failures or findings`
    : "stops only on failures or findings";
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
