/** The words of a thread's own events: sessions, plans, what people did with it. */

import type { Schemas } from "@/api/client";
import { plural, truncate } from "../../format.ts";
import { byWhom, type Lines, nameOf } from "./line.ts";

/** Lines of threads and plans. */
export const PLAN_LINES: Lines = {
  thread_opened: (body) => ({
    text: `thread opened on ${body.branch}, with ${body.agent}`,
    details: body.context,
  }),
  session_opened: (body) => {
    const model = body.model ? ` (${body.model})` : "";
    const where = body.has_own_worktree ? ", in a worktree of its own" : "";
    return {
      text: `${nameOf(body.session_id)} opened: ${body.role}, ${body.agent}${model}${where}`,
    };
  },
  sessions_archived: (body) => ({
    text: `${body.session_ids.map(nameOf).join(", ")} put away, still readable`,
  }),
  conversation_closed: () => null,
  plan_requested: (body) => ({ text: `a plan was asked for: ${truncate(body.goal)}` }),
  planner_added: (body) => ({
    text: `one more planner, ${nameOf(body.session_id)}${byWhom(body.by)}`,
  }),
  planner_nudged: () => ({ text: "the planner ended its turn without a plan and is asked again" }),
  planner_wrote: (body) => ({
    text: "the planner changed files, which were thrown away",
    tone: "wait",
    details: body.files.join("\n"),
  }),
  plan_refused: (body) => ({
    text: "the proposed plan was not valid; the planner was told why",
    tone: "wait",
    details: body.problems,
  }),
  planning_failed: (body) => ({ text: `planning failed: ${body.reason}`, tone: "fail" }),
  planning_cancelled: (body) => ({ text: `planning was ended${byWhom(body.by)}` }),
  critique_requested: (body) => ({
    text: `revision ${body.revision} is looked at by a critic${byWhom(body.by)}`,
  }),
  plan_critiqued: (body) => ({
    text: body.failure
      ? `no critique of revision ${body.revision}: ${body.failure}`
      : `revision ${body.revision} was criticised`,
    tone: body.failure ? "wait" : "plain",
    details: body.text,
  }),
  plan_status_changed: (body) => ({
    text: `plan ${body.status}${byWhom(body.by)}${body.reason ? `: ${body.reason}` : ""}`,
    tone: "strong",
  }),
  plan_amended: (body) => ({
    text: `plan is version ${body.version}, by ${body.amendment_id}: ${body.why}`,
    tone: "strong",
    details: body.counts,
  }),
  amendment_requested: (body) => ({
    text: `a change of the plan was asked for${byWhom(body.by)}: ${truncate(body.text)}`,
  }),
  amendment_refused: (body) => ({
    text: "a proposed change of the plan was not possible; its agent was told why",
    tone: "wait",
    details: body.problems,
  }),
  amendment_nudged: () => ({ text: "the session ended its turn without a proposal, asked again" }),
  amendment_failed: (body) => ({ text: `no amendment came: ${body.reason}`, tone: "fail" }),
  auto_set: (body) => ({
    text: `plans start ${body.is_on ? "by themselves" : "when you approve them"}${byWhom(body.by)}`,
  }),
  recommended: (body) => ({
    text: `advice: ${body.advice.replaceAll("_", " ")}${body.task_id ? ` ${body.task_id}` : ""}: ${body.reason}`,
    tone: "wait",
    task: body.task_id ?? null,
  }),
  supervision_raised: (body) => ({
    text: `${body.task_id}: ${body.message}`,
    tone: "wait",
    task: body.task_id,
  }),
  decision_reminded: (body) => ({
    text: `still to be decided: ${body.question}${body.default ? `; else ${body.default}` : ""}`,
    tone: "wait",
  }),
  decision_expired: (body) => ({
    text: `the time ran out, it goes on waiting: ${body.question}`,
    tone: "wait",
  }),
  command_rejected: (body) => ({
    text: `${body.command.replaceAll("_", " ")} was refused: ${body.reason}`,
    tone: "fail",
  }),
  event_damaged: (body) => ({
    text: `this event is damaged: position ${body.position}${body.was ? ` (${body.was.replaceAll("_", " ")})` : ""}`,
    tone: "fail",
    details: `${body.reason}\ntreadle journal repair brings it back where Temporal still knows it`,
  }),
  event_rebuilt: (body) => ({
    text: `the damaged event at position ${body.position} was rebuilt; reload to see it`,
  }),
  resource_warned: (body) => ({ text: body.message, tone: "wait" }),
  session_warned: (body) => ({ text: body.message, tone: "wait" }),
  agent_switched: (body) => ({
    text: `${body.agent}${body.model ? ` (${body.model})` : ""} goes on, with a fresh context${byWhom(body.by)}`,
    tone: "strong",
  }),
  context_compacted: (body) => ({
    text: body.command
      ? `the context was nearly full: the agent compacts it (${body.command})`
      : "the context was nearly full: a fresh one goes on",
    tone: "wait",
    details: `${body.used.toLocaleString("en")} of ${body.size.toLocaleString("en")} tokens`,
  }),
  turn_slept: () => ({ text: "the turn sleeps until you answer; its agent is closed" }),
  turn_woken: () => ({ text: "the turn goes on" }),
  question_asked_again: (body) => ({
    text: `${body.question_id} is asked again by the agent that was restarted`,
  }),
  rule_remembered: ({ rule }) => ({
    text: `remembered for the ${rule.remember}: ${rule.scope} is ${rule.is_allowed ? "allowed" : "denied"}`,
  }),
  rule_forgotten: (body) => ({ text: `${body.rule_id} is forgotten${byWhom(body.by)}` }),
  thread_renamed: (body) => ({ text: `renamed to ${body.topic}${byWhom(body.by)}` }),
  thread_archived: (body) => ({ text: `archived${byWhom(body.by)}` }),
  thread_unarchived: (body) => ({ text: `put back among the others${byWhom(body.by)}` }),
  deletion_requested: (body) => ({ text: `is being deleted${byWhom(body.by)}`, tone: "fail" }),
  keep_requested: (body) => ({
    text: `the changes of ${nameOf(body.session_id)} shall be kept${byWhom(body.by)}`,
  }),
  changes_kept: (body) => {
    const name = nameOf(body.session_id);
    if (body.commit) {
      const commit = body.commit.slice(0, 12);
      return { text: `the changes of ${name} are on ${body.branch}: ${commit}`, tone: "ok" };
    }
    const why = body.failure || `they conflict in ${body.conflicts.join(", ")}`;
    return { text: `the changes of ${name} are not kept: ${why}`, tone: "fail" };
  },
  document_written: (body) =>
    body.problem ? { text: body.problem, tone: "fail" } : { text: `plan written to ${body.path}` },
  publish_requested: (body) => ({ text: `the branch is being published${byWhom(body.by)}` }),
  branch_published: ({ pushed }) => ({
    text: `${pushed.branch} was pushed to ${pushed.remote} (${pushed.address})`,
    tone: "ok",
  }),
  pull_request_opened: ({ pull_request: opened }) => ({
    text: `pull request ${opened.number}: ${opened.url}`,
    tone: "ok",
  }),
  pull_request_left: (body) => ({
    text: `no pull request was opened: ${body.reason}`,
    tone: "wait",
    details: body.compare_url,
  }),
  merge_requested: (body) => ({
    text: `the branch is being merged into ${body.target}${byWhom(body.by)}`,
  }),
  branch_merged: (body) =>
    body.failure
      ? { text: `${body.branch} was not merged: ${body.failure}`, tone: "fail" }
      : {
          text: `${body.branch} is merged into ${body.target}: ${(body.merge_commit ?? "").slice(0, 12)}`,
          tone: "ok",
        },
  publish_failed: (body) => ({ text: `publishing failed: ${body.reason}`, tone: "fail" }),
  plan_files_set: (body) => ({
    text: `agents ${body.is_on ? "keep" : "keep no longer"} plan files${byWhom(body.by)}`,
  }),
  plan_file_changed: (body) => ({
    text: `plan file ${body.which}: ${body.op.replaceAll("_", " ")}${body.section ? ` of ${body.section}` : ""}`,
  }),
  plan_archived: (body) => ({ text: `plan files were kept as ${body.name}` }),
  child_opened: (body) => ({
    text: `${body.task_id} is a thread of its own`,
    task: body.task_id,
  }),
  child_reported: ({ report }) => ({
    text: `${report.task_id}: ${standingOf(report)}`,
    task: report.task_id,
  }),
  parent_told: ({ report }) => ({
    text: `told the parent thread: ${standingOf(report)}`,
  }),
  child_stopped: (body) => ({
    text: `the parent's plan wants this thread no longer${byWhom(body.by)}`,
  }),
  collisions_checked: (body) =>
    body.found.length === 0
      ? null
      : {
          text: `${plural(body.found.length, "collision")}, as the work is now`,
          tone: "wait",
          details: body.found
            .map((c) => `${c.first} and ${c.second}: ${c.files.join(", ")}`)
            .join("\n"),
        },
};

/** Say where a child thread stands; how many tasks only once it has some. */
function standingOf({ status, done, total, waiting_for }: Schemas["ChildReport"]): string {
  const tasks = total > 0 ? `, ${done} of ${plural(total, "task")} done` : "";
  return `${status}${tasks}${waiting_for ? `, waits for ${waiting_for}` : ""}`;
}
