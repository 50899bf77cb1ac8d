/** The words of a flow run's own events, and of an agent's check. */

import { byWhom, type Lines, nameOf } from "./line.ts";

const OUTCOMES: Readonly<Record<string, string>> = {
  done: "done",
  broke: "breaks out",
  continued: "begins the next round",
  failed: "failed",
  no_answer: "no valid answer",
  stopped: "stopped",
};

const TONES: Readonly<Record<string, "fail" | "wait">> = {
  failed: "fail",
  no_answer: "fail",
  stopped: "wait",
};

/** Lines of flow runs. */
export const FLOW_LINES: Lines = {
  flow_started: (body) => ({
    text: `${body.title}, on ${body.branch} of ${body.repository}${byWhom(body.by)}`,
    tone: "strong",
  }),
  flow_conversation_opened: ({ slot, agent, model, session_id }) => ({
    text: `${slot.agent_type}/${slot.identifier} is ${agent}${model ? ` (${model})` : ""}, ${nameOf(session_id)}`,
  }),
  flow_conversation_dropped: ({ slot }) => ({
    text: `the conversation of ${slot.agent_type}/${slot.identifier} is dropped`,
  }),
  flow_question_repeated: (body) => ({
    text: "neither yes nor no, asked again",
    tone: "wait",
    details: body.answer,
  }),
  flow_step_ended: (body) => {
    const answer = body.answer ? `${body.answer}, ` : "";
    const words = OUTCOMES[body.outcome] ?? body.outcome;
    const reason = body.reason && body.reason !== words ? `: ${body.reason}` : "";
    return {
      text: `step ${body.place.step_index}: ${answer}${words}${reason}`,
      tone: TONES[body.outcome] ?? "ok",
    };
  },
  flow_asked: ({ request }) => ({
    text: `asks you: ${request.question}`,
    tone: "wait",
    details: request.options.join(" | "),
  }),
  flow_answered: (body) => ({
    text: `answered${byWhom(body.by)}: ${body.answer}`,
    tone: "strong",
  }),
  flow_stop_requested: (body) => ({ text: `stop asked for${byWhom(body.by)}`, tone: "wait" }),
  flow_stopped: (body) => ({
    text: `stopped at step ${body.step_index}: ${body.reason}`,
    tone: "wait",
  }),
  flow_failed: (body) => ({
    text: `failed at step ${body.step_index}: ${body.reason}`,
    tone: "fail",
  }),
  flow_resumed: (body) => ({
    text: `resumed at step ${body.step_index} (run ${body.execution})${body.has_definition_changed ? "; its file has changed, it goes on as it began" : ""}`,
    tone: "strong",
  }),
  flow_child_started: (body) => ({
    text: `the flow ${body.flow_name} ${body.is_again ? "goes on" : "begins"}: ${body.run_id}`,
    run: body.run_id,
  }),
  flow_child_renumbered: (body) => ({
    text: `the flow ${body.flow_name} begins anew: ${body.run_id}`,
    run: body.run_id,
  }),
  flow_child_ended: (body) => ({
    text: `the flow ${body.flow_name} ${body.end}${body.reason ? `: ${body.reason}` : ""}`,
    tone: TONES[body.end] ?? "ok",
  }),
  flow_completed: () => ({ text: "completed", tone: "ok" }),
  agent_check_started: (body) => ({ text: `${body.agent}: ${body.check}${byWhom(body.by)}` }),
  agent_check_progress: (body) => ({ text: body.message }),
  agent_check_ended: (body) => ({ text: `${body.agent}: ended`, tone: "strong" }),
};
