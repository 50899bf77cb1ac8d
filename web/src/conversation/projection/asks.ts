/** Folds what people are asked, and what they answered: plans, amendments, gates, decisions, questions. */

import type { EventBody } from "@/api/events/topics";
import { plural } from "../../format.ts";
import type { Draft, Place } from "./draft.ts";
import type { AskItem } from "./items.ts";

type Body<K extends EventBody["kind"]> = Extract<EventBody, { kind: K }>;

interface Asked {
  readonly subject: AskItem["subject"];
  readonly requestId: string;
  readonly title: string;
  readonly lines?: readonly string[];
  readonly task?: string | null;
}

function ask(draft: Draft, place: Place, asked: Asked): true {
  draft.add({
    lines: [],
    task: null,
    ...asked,
    ...place,
    kind: "ask",
    outcome: "",
    feedback: "",
    isApproved: null,
  });
  return true;
}

interface Given {
  readonly outcome: string;
  readonly isApproved?: boolean | null;
  readonly feedback?: string;
}

/** Write an answer beside what was asked; one to something older than what is loaded is a line. */
function settle(draft: Draft, place: Place, requestId: string, given: Given): true {
  const isKnown = draft.change(
    "ask",
    (item) => item.requestId === requestId && item.outcome === "",
    (item) => ({ ...item, isApproved: null, feedback: "", ...given }),
  );
  if (!isKnown) {
    const told = `${requestId}: ${given.outcome}`;
    const details = given.feedback ?? "";
    draft.add({ ...place, kind: "line", tone: "strong", text: told, details, task: null });
  }
  return true;
}

function decided(draft: Draft, place: Place, outcome: Body<"plan_decided">["outcome"]): true {
  const isApproved = outcome.choice === "approve";
  const word = isApproved ? "approved" : "rejected";
  const comments = (outcome.comments ?? []).map(
    ({ path, line, text }) => `${path}:${line}: ${text}`,
  );
  const feedback = [outcome.feedback, ...comments].filter((each) => each !== "").join("\n");
  const by = outcome.decider === "policy" ? "the policy" : outcome.by;
  return settle(draft, place, outcome.request_id, {
    outcome: `${word} by ${by}`,
    isApproved,
    feedback,
  });
}

/** Fold an event of something that a person is asked; tells whether it was one. */
export function addAsk(draft: Draft, place: Place, body: EventBody): boolean {
  switch (body.kind) {
    case "plan_proposed":
      return plan(draft, place, body);
    case "plan_decided":
    case "amendment_decided":
    case "task_plan_decided":
    case "gate_decided":
    case "suggestion_decided":
      return decided(draft, place, body.outcome);
    case "amendment_closed":
      return settle(draft, place, body.request_id, {
        outcome: "closed",
        isApproved: null,
        feedback: body.reason,
      });
    case "plan_superseded":
      return settle(draft, place, body.request_id, {
        outcome: `no longer asked: revision ${body.by_revision} stands for it`,
      });
    case "planning_suggested":
      return ask(draft, place, {
        subject: "suggestion",
        requestId: body.request.request_id,
        title: body.goal,
        lines: [body.reason],
      });
    case "amendment_proposed":
      return ask(draft, place, {
        subject: "amendment",
        requestId: body.request.request_id,
        title: body.lines[0] ?? body.request.title,
        lines: body.lines.slice(1),
      });
    case "gate_opened":
      return gate(draft, place, body);
    case "gate_withdrawn":
      return settle(draft, place, body.request_id, {
        outcome: "no longer asked: the work changed, it is verified again",
      });
    case "task_plan_asked":
      return ask(draft, place, {
        subject: "task_plan",
        requestId: body.request.request_id,
        title: body.request.title,
        lines: body.plan.steps,
      });
    default:
      return addChoice(draft, place, body);
  }
}

function plan(draft: Draft, place: Place, body: Body<"plan_proposed">): true {
  const { plan: proposed } = body;
  const goal = proposed.goal || proposed.summary;
  return ask(draft, place, {
    subject: "plan",
    requestId: body.request.request_id,
    title: `revision ${body.revision}: ${goal}`,
    lines: proposed.tasks.map((task) => `${task.id}  ${task.title}`),
  });
}

function gate(draft: Draft, place: Place, body: Body<"gate_opened">): true {
  const snapshot = body.snapshot;
  const size = snapshot ? `+${snapshot.insertions} −${snapshot.deletions}` : "";
  const files = snapshot ? plural(snapshot.file_count, "file") : "";
  return ask(draft, place, {
    subject: "gate",
    requestId: body.request.request_id,
    title: body.request.title,
    lines: snapshot
      ? [`${size} in ${files}`, ...(body.doubts ?? []), ...snapshot.files.slice(0, 10)]
      : (body.doubts ?? []),
    task: body.request.request_id.split("/")[0] ?? null,
  });
}

/** Decisions of the plan and questions of agents: one of several options is chosen. */
function addChoice(draft: Draft, place: Place, body: EventBody): boolean {
  switch (body.kind) {
    case "decision_asked":
      return ask(draft, place, {
        subject: "decision",
        requestId: body.decision_id,
        title: body.question,
        lines: body.options.map((option) => option.label),
      });
    case "decision_made":
      return settle(draft, place, body.decision_id, {
        outcome: `${body.selections.join(", ")}, by ${body.decider === "policy" ? "the plan's default" : body.by}`,
      });
    case "question_asked":
      return ask(draft, place, {
        subject: "question",
        requestId: body.question.question_id,
        title: body.question.title,
        lines: body.question.options.map((option) => option.label),
      });
    case "question_answered":
      return settle(draft, place, body.question_id, {
        outcome: `${body.labels.join(", ")}, by ${body.by}${body.remember === "once" ? "" : `, for the ${body.remember}`}`,
      });
    case "question_withdrawn":
      return settle(draft, place, body.question_id, {
        outcome: `not asked any longer: ${body.reason}`,
      });
    case "conflict_found":
      return ask(draft, place, {
        subject: "conflict",
        requestId: `conflict of ${body.conflict.task_id}`,
        title: `${body.conflict.task_id} conflicts in ${body.conflict.files.join(", ")}`,
        lines: body.conflict.notes,
        task: body.conflict.task_id,
      });
    case "conflict_answered":
      return settle(draft, place, `conflict of ${body.task_id}`, {
        outcome: `${body.how.replaceAll("_", " ")}, says ${body.by}`,
      });
    case "conflict_dropped":
      return settle(draft, place, `conflict of ${body.task_id}`, {
        outcome: "of no matter any more",
      });
    default:
      return false;
  }
}
