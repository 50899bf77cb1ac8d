/** Folds what people are asked, and what they answered: plans, amendments, gates, decisions, questions. */

import type { EventBody } from "@/api/events/topics";
import type { Draft, Place } from "./draft.ts";
import type { AskItem } from "./items.ts";
import { type EventText, lineOf } from "./text.ts";

type Asked = Pick<AskItem, "subject" | "requestId">;
type Answered = Pick<AskItem, "requestId" | "isApproved">;

/** Return the request that an event makes; null where it makes none. */
function askedIn(body: EventBody): Asked | null {
  switch (body.kind) {
    case "plan_proposed":
      return { subject: "plan", requestId: body.request.request_id };
    case "planning_suggested":
      return { subject: "suggestion", requestId: body.request.request_id };
    case "amendment_proposed":
      return { subject: "amendment", requestId: body.request.request_id };
    case "gate_opened":
      return { subject: "gate", requestId: body.request.request_id };
    case "task_plan_asked":
      return { subject: "task_plan", requestId: body.request.request_id };
    case "decision_asked":
      return { subject: "decision", requestId: body.decision_id };
    case "question_asked":
      return { subject: "question", requestId: body.question.question_id };
    case "conflict_found":
      return { subject: "conflict", requestId: `conflict of ${body.conflict.task_id}` };
    default:
      return null;
  }
}

/** Return the request that an event answers or withdraws; null where it does neither. */
function answeredIn(body: EventBody): Answered | null {
  const over = (requestId: string) => ({ requestId, isApproved: null });
  switch (body.kind) {
    case "plan_decided":
    case "amendment_decided":
    case "task_plan_decided":
    case "gate_decided":
    case "suggestion_decided":
      return {
        requestId: body.outcome.request_id,
        isApproved: body.outcome.choice === "approve",
      };
    case "amendment_closed":
    case "plan_superseded":
    case "gate_withdrawn":
      return over(body.request_id);
    case "decision_made":
      return over(body.decision_id);
    case "question_answered":
    case "question_withdrawn":
      return over(body.question_id);
    case "conflict_answered":
    case "conflict_dropped":
      return over(`conflict of ${body.task_id}`);
    default:
      return null;
  }
}

const OF_PLANNING = new Set<AskItem["subject"]>(["plan", "suggestion"]);

/** Close what planning had asked: planning that begins anew, or ends, takes it back without a word. */
function closePlans(draft: Draft, outcome: string): void {
  let isFound = true;
  while (isFound) {
    isFound = draft.change(
      "ask",
      (item) => OF_PLANNING.has(item.subject) && item.outcome === "",
      (item) => ({ ...item, outcome }),
    );
  }
}

/** Fold an event of something that a person is asked; tells whether it was one. */
export function addAsk(draft: Draft, place: Place, body: EventBody, text: EventText): boolean {
  if (body.kind === "plan_requested" || body.kind === "planning_cancelled") {
    closePlans(draft, body.kind === "plan_requested" ? "replaced" : "not decided");
  }
  const asked = askedIn(body);
  if (asked !== null) {
    const lines = text.details === "" ? [] : text.details.split("\n");
    const open = { outcome: "", feedback: "", isApproved: null };
    draft.add({ ...place, ...asked, ...open, kind: "ask", title: text.summary, lines });
    return true;
  }
  const answered = answeredIn(body);
  if (answered === null) {
    return false;
  }
  const given = { outcome: text.summary, feedback: text.details, isApproved: answered.isApproved };
  const isKnown = draft.change(
    "ask",
    (item) => item.requestId === answered.requestId && item.outcome === "",
    (item) => ({ ...item, ...given }),
  );
  if (!isKnown) {
    draft.add(lineOf(place, text));
  }
  return true;
}
