/** A piece of work for the queue or a schedule, as it is typed and as the API takes it; pure. */

import type { Schemas } from "@/api/client";
import { labelsOf } from "../../ui/labels.ts";

/** What was typed about a goal or a run of a flow. */
export interface Work {
  readonly kind: "thread" | "flow";
  readonly repository: string;
  readonly goal: string;
  readonly flow: string;
  readonly agent: string;
  readonly model: string;
  readonly template: string;
  readonly base: string;
  readonly after: readonly string[];
  readonly priority: number;
  /** Empty is any that can do it. */
  readonly host: string;
  /** Labels that the host must have, as they are typed. */
  readonly labels: string;
}

/** Nothing typed yet. */
export const NO_WORK: Work = {
  kind: "thread",
  repository: "",
  goal: "",
  flow: "",
  agent: "",
  model: "",
  template: "",
  base: "",
  after: [],
  priority: 3,
  host: "",
  labels: "",
};

function given(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

/** Tell whether enough was typed to send it. */
export function isWhole(work: Work): boolean {
  const what = work.kind === "thread" ? work.goal : work.flow;
  return work.repository.trim() !== "" && what.trim() !== "";
}

/** Return work as the API takes it. */
export function itemOf(
  commandId: string,
  work: Work,
): Schemas["WaitingThread"] | Schemas["WaitingFlow"] {
  const both = {
    command_id: commandId,
    agent: given(work.agent),
    model: given(work.model),
    priority: work.priority,
    after: [...work.after],
    host: work.host,
    labels: labelsOf(work.labels),
  };
  if (work.kind === "flow") {
    return {
      ...both,
      kind: "flow",
      flow: work.flow.trim(),
      working_folder: given(work.repository),
      agents: {},
      queue: true,
    };
  }
  return {
    ...both,
    kind: "thread",
    repository: work.repository.trim(),
    also: [],
    goal: work.goal.trim(),
    template: given(work.template),
    base: given(work.base),
    options: {},
    is_planned: true,
    planner: {},
    attachments: [],
  };
}
