/** Folds events that are one line in a transcript, and the few that are a card of their own. */

import type { Schemas } from "@/api/client";
import type { EventBody } from "@/api/events/topics";
import type { Draft, Place } from "./draft.ts";
import { GOAL, type Item } from "./items.ts";
import { type EventText, lineOf, note } from "./text.ts";

type Body<K extends EventBody["kind"]> = Extract<EventBody, { kind: K }>;

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

/** Fold an event that has a card of its own, or a place of its own; tells whether it was one. */
export function addCard(draft: Draft, place: Place, body: EventBody, text: EventText): boolean {
  switch (body.kind) {
    case "thread_opened":
      begun(draft, place, body, text);
      return true;
    case "session_opened":
    case "conversation_opened":
      if (text.summary !== "") {
        note(draft, place, text.summary);
      }
      return true;
    case "plan_requested":
      if (draft.items.some((item) => isGoal(item, body.goal))) {
        note(draft, place, text.summary);
      } else {
        draft.add(lineOf(place, text));
      }
      return true;
    case "plan_started":
      draft.add({
        ...place,
        kind: "reset",
        goal: body.goal,
        tasks: body.session_id ? 0 : body.tasks.length,
      });
      return true;
    case "plan_completed":
      draft.add({ ...place, kind: "summary", body });
      return true;
    case "flow_step_started":
      if (body.place.agent_type === "") {
        draft.add({ ...place, kind: "step", step: body.step, place: body.place });
      }
      return true;
    case "flow_step_ended":
      draft.addBefore(lineOf(place, text, ""), (later) => isOfNextStep(later, body.place));
      return true;
    case "verification_started":
      begin(draft, place, body.attempt);
      return true;
    case "verification_step_ended":
      if (body.result.step_id?.startsWith("flow-")) {
        draft.add(lineOf(place, text, body.result.output));
      } else {
        step(draft, place, body);
      }
      return true;
    case "verification_ended":
      draft.change(
        "verification",
        (item) => item.attempt === body.attempt && item.passed === null,
        (item) => ({ ...item, passed: body.passed, held: body.held }),
      ) || note(draft, place, text.summary);
      return true;
    default:
      return false;
  }
}

function isGoal(item: Item, goal: string): boolean {
  return item.kind === "message" && item.messageId === GOAL && item.text === goal;
}

/** The goal is what a person said first; a thread that another one opened says what that one wants. */
function begun(draft: Draft, place: Place, body: Body<"thread_opened">, text: EventText): void {
  const by = body.parent ? "treadle" : (body.opened_by ?? "");
  const said = { messageId: GOAL, text: body.goal, by, state: "sent", attachments: [] } as const;
  draft.add({ ...place, ...said, key: `${place.key} goal`, kind: "message" });
  if (text.details === "") {
    note(draft, place, text.summary);
  } else {
    draft.add(lineOf(place, text));
  }
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
