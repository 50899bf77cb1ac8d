/** A flow's steps as people read them: how deep they stand, and what each does in words; pure. */

import type { Schemas } from "@/api/client";
import { formatDuration } from "../../format.ts";

type Step = Schemas["FlowStep"];

/** A step with its place in the outline. */
export interface OutlineRow {
  readonly step: Step;
  readonly depth: number;
  /** Stands with a number of its own; the ends of loops and branches have none. */
  readonly isNumbered: boolean;
}

const OPENS: ReadonlySet<string> = new Set(["startLoop", "if", "else"]);
const CLOSES: ReadonlySet<string> = new Set(["endLoop", "else", "endIf"]);
const SILENT: ReadonlySet<string> = new Set(["endLoop", "endIf", "else"]);

/** Lay steps out: those in loops and branches stand further in; mere ends are left out. */
export function outlineOf(steps: readonly Step[]): readonly OutlineRow[] {
  let depth = 0;
  const rows: OutlineRow[] = [];
  for (const step of steps) {
    if (CLOSES.has(step.kind)) {
      depth -= 1;
    }
    if (step.kind !== "endLoop" && step.kind !== "endIf") {
      rows.push({ step, depth, isNumbered: !SILENT.has(step.kind) });
    }
    if (OPENS.has(step.kind)) {
      depth += 1;
    }
  }
  return rows;
}

function conditionOf(step: Step): string {
  const condition = step.condition;
  if (!condition) {
    return "";
  }
  if (condition.command) {
    return `this command succeeds: ${condition.command}`;
  }
  if (condition.output_key) {
    return condition.equals === null || condition.equals === undefined
      ? `output ${condition.output_key} is yes`
      : `output ${condition.output_key} is “${condition.equals}”`;
  }
  return condition.question ?? "";
}

const LEAVES: Readonly<Record<NonNullable<Step["exit"]>, string>> = {
  loop: "exit the loop",
  exitFlow: "complete the flow",
  haltFlow: "stop the flow",
};

/** Say what a step does; its label is shown beside. */
export function wordsOf(step: Step): string {
  const answer = step.on === false ? "no" : "yes";
  switch (step.kind) {
    case "startLoop":
      return step.max_iterations
        ? `up to ${step.max_iterations} rounds`
        : "until a break step or a manual stop";
    case "break":
      return `${LEAVES[step.exit ?? "loop"]} on ${answer}: ${conditionOf(step)}`;
    case "continue":
      return `start the next round on ${answer}: ${conditionOf(step)}`;
    case "if":
      return conditionOf(step);
    case "else":
      return "otherwise";
    case "command":
      return step.summary || (step.command ?? "");
    case "human":
      return step.question ?? "";
    case "wait":
      return formatDuration((step.seconds ?? 0) * 1000, 0, "long");
    case "subflow":
      return (step.flow_names ?? []).join(", ");
    case "reset":
      return "the next step starts a new conversation";
    case "reingest":
      return "skipped: agents read the files directly";
    default:
      return (step.messages ?? []).join("\n");
  }
}

/** Say which kind of step it is, in a word. */
export function kindOf(kind: string): string {
  const words: Readonly<Record<string, string>> = {
    startLoop: "loop",
    llm: "agent",
    subflow: "flows",
    human: "human input",
  };
  return words[kind] ?? kind;
}
