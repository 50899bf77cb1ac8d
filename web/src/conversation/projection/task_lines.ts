/** The words of events of tasks: their runs, reports, reviews, merges. */

import { formatDuration, plural, truncate } from "../../format.ts";
import type { Tone } from "./items.ts";
import { byWhom, type Lines, nameOf } from "./line.ts";

const TONES: Readonly<Record<string, Tone>> = {
  completed: "ok",
  failed: "fail",
  blocked: "fail",
  needs_decision: "wait",
};

/** Lines of tasks. */
export const TASK_LINES: Lines = {
  task_updated: (body) => ({
    text: `${body.task_id} ${body.new_status.replaceAll("_", " ")}${body.notes ? `: ${body.notes}` : ""}`,
    tone: TONES[body.new_status] ?? "plain",
    task: body.task_id,
  }),
  task_opened: (body) => ({
    text: `run ${body.run} of ${body.task.id}: ${body.task.title} (${body.agent})`,
    details: body.task.description,
  }),
  task_session_opened: (body) => ({
    text: `${nameOf(body.session_id)} opened: ${body.role.replaceAll("_", " ")}, ${body.agent}`,
  }),
  task_agent_switched: (body) => ({
    text: `${body.agent}${body.model ? ` (${body.model})` : ""} goes on, with a fresh context${byWhom(body.by)}`,
    tone: "strong",
  }),
  task_context_compacted: (body) => ({
    text: body.command
      ? `the context was nearly full: the agent compacts it (${body.command})`
      : "the context was nearly full: a fresh one goes on",
    tone: "wait",
  }),
  task_warned: (body) => ({ text: body.message, tone: "wait" }),
  task_enriched: (body) => ({
    text: `${body.task_id} was given something to know`,
    details: body.text,
    task: body.task_id,
  }),
  learning_recorded: ({ learning }) => ({ text: `learned: ${learning.text}` }),
  learnings_added: (body) => ({
    text: `${body.task_id} learned ${plural(body.learnings.length, "thing")}`,
    details: body.learnings.map((each) => each.text).join("\n"),
    task: body.task_id,
  }),
  report_received: (body) => ({
    text: `${body.is_blocked ? "reports that it is blocked" : "reports done"}: ${truncate(body.report.summary, 300)}`,
    tone: body.is_blocked ? "wait" : "strong",
    details: body.report.summary.length > 300 ? body.report.summary : "",
  }),
  verification_checked: (body) => ({
    text: `the agent looked at verification: ${body.passed ? "passes" : "fails"}`,
    tone: body.passed ? "ok" : "wait",
  }),
  review_submitted: ({ review }) => ({
    text: `review: ${review.verdict.replaceAll("_", " ")}. ${review.summary}`,
    tone: review.verdict === "approve" ? "ok" : "wait",
    details: review.findings
      .map((f) => `${f.severity} ${f.file}:${f.line ?? ""} ${f.text}`)
      .join("\n"),
  }),
  review_missed: (body) => ({
    text: `the reviewer gave no review${body.problem ? `: ${body.problem}` : ""}; it is asked again`,
    tone: "wait",
  }),
  task_plan_proposed: (body) => ({
    text: `plan ${body.number} of the task was proposed`,
    details: [body.plan.summary, ...body.plan.steps].filter((each) => each !== "").join("\n"),
  }),
  task_plan_submitted: () => ({ text: "the plan goes to the thread's agent for review" }),
  task_plan_reviewed: (body) => ({
    text: body.problem
      ? `the thread's agent gave no verdict on the plan: ${body.problem}`
      : `the thread's agent on the plan: ${body.verdict}`,
    details: body.feedback,
  }),
  port_leased: (body) => ({ text: `port ${body.port_id} is :${body.number}` }),
  port_released: (body) => ({ text: `port ${body.port_id} was given back` }),
  terminal_opened: ({ terminal }) => ({
    text: `terminal ${terminal.label || terminal.id}: ${truncate(terminal.command)}`,
  }),
  terminal_ended: ({ terminal }) => {
    const how = terminal.signal ?? `exit code ${terminal.exit_code ?? "unknown"}`;
    return { text: `terminal ${terminal.label || terminal.id} ended: ${how}` };
  },
  task_abort_requested: (body) => ({
    text: `${body.task_id} is being aborted${byWhom(body.by)}`,
    tone: "fail",
    task: body.task_id,
  }),
  task_aborted: (body) => ({ text: `aborted${byWhom(body.by)}`, tone: "fail" }),
  task_ended: (body) => ({
    text: `the run ended: ${body.end}${body.reason ? `, ${body.reason}` : ""}`,
    tone: body.end === "accepted" ? "ok" : "fail",
  }),
  task_reported: () => null,
  merge_step_ended: (body) =>
    body.result.passed
      ? null
      : {
          text: `${body.task_id} as merged: ${body.result.label} failed`,
          tone: "fail",
          details: body.result.output,
          task: body.task_id,
        },
  task_merged: (body) => ({
    text: `${body.task_id} merged into ${body.branch} after ${plural(body.attempts, "attempt")}, ${formatDuration(body.duration_ms, 1)}`,
    tone: "ok",
    task: body.task_id,
  }),
  checkpoint_chosen: () => ({ text: "the run begins with the files of a checkpoint" }),
  conflict_prepared: (body) => ({
    text: body.failure || `the merge of ${body.task_id} waits for you in ${body.path}`,
    tone: body.failure ? "fail" : "wait",
    task: body.task_id,
  }),
  conflict_unresolved: (body) => ({
    text: `the conflict of ${body.task_id} is not resolved: ${body.failure || `markers are left in ${body.files.join(", ")}`}`,
    tone: "fail",
    task: body.task_id,
  }),
  conflict_resolved: (body) => ({
    text: `the conflict of ${body.task_id} was resolved by hand; it is verified next`,
    task: body.task_id,
  }),
  conflict_work_removed: () => null,
};
