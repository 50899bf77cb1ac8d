/** What happens when a plan is approved, in words; pure. */

import type { Plan, PlannedTask } from "@/plans/models";
import { plural } from "../format.ts";
import { levelsOf } from "./graph/graph.ts";
import { NO_STEPS } from "./wordings.ts";
import { calledOf } from "./work.ts";

/** What a plan will do and use once it runs. */
export interface Consequences {
  readonly tasks: number;
  readonly threads: number;
  readonly width: number;
  readonly agents: readonly string[];
  readonly ports: readonly string[];
  readonly steps: number;
  /** Tasks whose gate stops for a person. */
  readonly gates: readonly string[];
  /** Tasks whose own plan stops for a person. */
  readonly planned: readonly string[];
  readonly decisions: readonly string[];
  readonly files: readonly string[];
}

/** Return what approving a plan leads to; `agent` is the thread's own. */
export function consequencesOf(plan: Plan, agent: string): Consequences {
  const { tasks } = plan;
  return {
    tasks: tasks.filter((task) => task.runs_as === "task").length,
    threads: tasks.filter((task) => task.runs_as === "thread").length,
    width: Math.max(1, ...levelsOf(tasks).map((level) => level.length)),
    agents: unique(tasks.length === 0 ? [agent] : tasks.map((task) => agentOf(task, agent))),
    ports: unique(tasks.flatMap((task) => task.ports.map((port) => port.id))),
    steps: tasks.reduce((sum, task) => sum + task.verification.length, plan.verification.length),
    gates: tasks.filter((task) => task.gate !== "auto").map((task) => task.id),
    planned: tasks.filter((task) => task.plan_approval === "user").map((task) => task.id),
    decisions: plan.decisions.map((decision) => decision.id),
    files: unique(tasks.flatMap((task) => task.area)),
  };
}

function agentOf(task: PlannedTask, agent: string): string {
  return [task.agent ?? agent, task.model].filter(Boolean).join(" ");
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}

/** Say it in short parts, the weightiest first and the likely files last; what is none is left out. */
export function wordsOf(found: Consequences): readonly string[] {
  const work =
    found.tasks + found.threads === 0
      ? "a single task in this thread"
      : [
          found.tasks > 0 ? plural(found.tasks, "task") : "",
          found.threads > 0 ? plural(found.threads, "child thread") : "",
          found.width > 1 ? `${found.width} in parallel` : "in sequence",
        ]
          .filter((part) => part !== "")
          .join(", ");
  return [
    work,
    found.gates.length > 0 ? `asks for your approval of ${listed(found.gates.map(calledOf))}` : "",
    found.planned.length > 0
      ? `asks you to approve the plan of ${listed(found.planned.map(calledOf))}`
      : "",
    found.decisions.length > 0 ? `asks you ${plural(found.decisions.length, "question")}` : "",
    found.tasks > 0 && found.gates.length === 0 ? "merges without approval" : "",
    `agents: ${listed(found.agents)}`,
    found.ports.length > 0 ? `ports: ${listed(found.ports)}` : "",
    found.steps > 0 ? plural(found.steps, "verification step") : NO_STEPS,
    found.files.length > 0 ? `likely files: ${listed(found.files)}` : "",
  ].filter((part) => part !== "");
}

/** List words, the first few of many. */
export function listed(words: readonly string[], most = 5): string {
  const shown = words.slice(0, most).join(", ");
  return words.length > most ? `${shown} and ${words.length - most} more` : shown;
}
