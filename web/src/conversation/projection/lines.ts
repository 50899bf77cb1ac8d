/** Folds events that are one line in a transcript, and the few that are a card of their own. */

import type { Schemas } from "@/api/client";
import type { EventBody } from "@/api/events/topics";
import type { Draft, Place } from "./draft.ts";
import { FLOW_LINES } from "./flow_lines.ts";
import type { Item } from "./items.ts";
import type { Line, Lines } from "./line.ts";
import { PLAN_LINES } from "./plan_lines.ts";
import { TASK_LINES } from "./task_lines.ts";
import { note } from "./updates.ts";

type Body<K extends EventBody["kind"]> = Extract<EventBody, { kind: K }>;

const LINES: Lines = { ...PLAN_LINES, ...TASK_LINES, ...FLOW_LINES };

/** Fold an event that is told in a line; tells whether it was one. */
export function addLine(draft: Draft, place: Place, body: EventBody): boolean {
  if (addCard(draft, place, body)) {
    return true;
  }
  const say = LINES[body.kind] as ((body: EventBody) => Line | null) | undefined;
  if (say === undefined) {
    return false;
  }
  const line = say(body);
  if (line !== null) {
    const { text, tone = "plain", details = "", task = null, run } = line;
    const way = run === undefined ? { task } : { task, run };
    const item = { ...place, kind: "line", tone, text, details, ...way } as const;
    if (body.kind === "flow_step_ended") {
      draft.addBefore(item, (later) => isOfNextStep(later, body.place));
    } else {
      draft.add(item);
    }
  }
  return true;
}

/** The next step's first message may come before the end of the one before is written down. */
function isOfNextStep(item: Item, ended: Schemas["FlowPlace"]): boolean {
  if (item.kind !== "message" || item.flow === undefined) {
    return item.kind === "notes";
  }
  const { step_index: step, iteration, execution } = item.flow;
  return (
    step !== ended.step_index || iteration !== ended.iteration || execution !== ended.execution
  );
}

function addCard(draft: Draft, place: Place, body: EventBody): boolean {
  switch (body.kind) {
    case "plan_started":
      draft.add({ ...place, kind: "reset", goal: body.goal, tasks: body.tasks.length });
      return true;
    case "plan_completed":
      draft.add({ ...place, kind: "summary", body });
      return true;
    case "flow_step_started":
      if (body.place.agent_type === "") {
        draft.add({ ...place, kind: "step", step: body.step, place: body.place });
      }
      return true;
    case "verification_started":
      begin(draft, place, body.attempt);
      return true;
    case "verification_step_ended":
      if (body.result.step_id?.startsWith("flow-")) {
        ran(draft, place, body.result);
      } else {
        step(draft, place, body);
      }
      return true;
    case "verification_ended":
      draft.change(
        "verification",
        (item) => item.attempt === body.attempt && item.passed === null,
        (item) => ({ ...item, passed: body.passed, held: body.held }),
      ) || note(draft, place, `attempt ${body.attempt} ${body.passed ? "passed" : "failed"}`);
      return true;
    default:
      return false;
  }
}

/** A command of a flow; what it printed is folded. */
function ran(draft: Draft, place: Place, result: Schemas["StepResult"]): void {
  const seconds = ((result.duration_ms ?? 0) / 1000).toFixed(1);
  const code = typeof result.exit_code === "number" ? `exit code ${result.exit_code}` : "no end";
  draft.add({
    ...place,
    kind: "line",
    tone: result.passed ? "plain" : "fail",
    text: `command: ${code} after ${seconds} s`,
    details: result.output ?? "",
    task: null,
  });
}

function begin(draft: Draft, place: Place, attempt: number): void {
  draft.add({ ...place, kind: "verification", attempt, steps: [], passed: null, held: "" });
}

function step(draft: Draft, place: Place, body: Body<"verification_step_ended">): void {
  const add = () =>
    draft.change(
      "verification",
      (item) => item.attempt === body.attempt && item.passed === null,
      (item) => ({ ...item, steps: [...item.steps, body.result] }),
    );
  if (!add()) {
    begin(draft, place, body.attempt);
    add();
  }
}
