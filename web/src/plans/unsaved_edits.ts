/** Changes to a plan that were never saved: why they cannot be any more, and how they read; pure. */

import type { Plan, PlannedTask, ProposedPlan, ThreadView } from "@/plans/models";
import { NO_EDIT, type PlanEdit, type TaskEdit } from "./edits.ts";

/** Return the name of the draft that holds the changes to a revision. */
export function editDraft(threadId: string, revision: number): string {
  return `plan.${threadId}.${revision}`;
}

/** Return the name of the draft of a revision's handoff packet. */
export function packetDraft(threadId: string, requestId: string): string {
  return `handoff.${requestId}.${threadId}`;
}

/** Read changes as they were kept; what cannot be read is no change. */
export function readEdit(draft: string): PlanEdit {
  try {
    const saved: unknown = JSON.parse(draft);
    return typeof saved === "object" && saved !== null ? { ...NO_EDIT, ...saved } : NO_EDIT;
  } catch {
    return NO_EDIT;
  }
}

/** Say why a revision takes no changes any more; empty while it takes them. */
export function closedWords(thread: ThreadView, proposed: ProposedPlan): string {
  const { revision } = proposed;
  const newest = newestOf(thread, proposed);
  if (thread.approved === revision) {
    return `Revision ${revision} of the plan was approved before you saved your changes.`;
  }
  if (newest.revision !== revision) {
    return `Revision ${newest.revision} of the plan was proposed before you saved your changes to revision ${revision}.`;
  }
  const { request_id } = proposed.request;
  if (thread.requests.some(({ request }) => request.request_id === request_id)) {
    return "";
  }
  return (thread.approved ?? 0) > 0
    ? `Revision ${thread.approved} was approved instead of revision ${revision}, which you edited.`
    : `Revision ${revision} of the plan was decided before you saved your changes.`;
}

/** Return the plan that continues in place of a revision: the approved one, or its planner's newest. */
export function currentOf(thread: ThreadView, proposed: ProposedPlan): ProposedPlan {
  const approved = thread.plans.find(({ revision }) => revision === thread.approved);
  return approved ?? newestOf(thread, proposed);
}

function newestOf(thread: ThreadView, proposed: ProposedPlan): ProposedPlan {
  return thread.plans.findLast((each) => each.session_id === proposed.session_id) ?? proposed;
}

type Fields = Readonly<Record<string, unknown>>;

const PLAN_FIELDS = { approach: "Approach", summary: "Summary", key_risk: "Key risk" };

const TASK_FIELDS: Readonly<Record<keyof TaskEdit, string>> = {
  title: "title",
  description: "description",
  depends_on: "depends on",
  gate: "gate",
  plan_approval: "task plan approval",
  best_of: "best of",
};

/** Say what was changed, one line each; nothing of what the plan that continues has as well. */
export function changeLines(plan: Plan, edit: PlanEdit, current: Plan): readonly string[] {
  const ofPlan = differing(edit.fields, plan, current).map(
    (field) => `${PLAN_FIELDS[field as keyof typeof PLAN_FIELDS]}: ${wordOf(edit.fields, field)}`,
  );
  const ofTasks = Object.entries(edit.tasks).flatMap(([id, changed]) =>
    edit.removed.includes(id)
      ? []
      : differing(changed, taskOf(plan, id), taskOf(current, id)).map(
          (field) =>
            `Task ${id}, ${TASK_FIELDS[field as keyof TaskEdit]}: ${wordOf(changed, field)}`,
        ),
  );
  const removed = edit.removed
    .filter((id) => taskOf(current, id) !== undefined)
    .map((id) => `Remove task ${id}.`);
  return [...ofPlan, ...ofTasks, ...removed];
}

/** Return the text that asks for an amendment with the changes. */
export function amendmentText(revision: number, lines: readonly string[]): string {
  return [`Apply my edits of revision ${revision} to the running plan:`, ...lines].join("\n");
}

/** Tell whether a change of the running plan can be asked for. */
export function takesAmendments({ plan_status }: Pick<ThreadView, "plan_status">): boolean {
  return plan_status === "active" || plan_status === "paused";
}

function taskOf(plan: Plan, id: string): PlannedTask | undefined {
  return plan.tasks.find((task) => task.id === id);
}

function differing(changed: Fields, before?: object, current?: object): readonly string[] {
  const isIn = (plan: object | undefined, field: string) =>
    JSON.stringify((plan as Fields | undefined)?.[field] ?? null) ===
    JSON.stringify(changed[field] ?? null);
  return Object.keys(changed).filter((field) => !isIn(before, field) && !isIn(current, field));
}

function wordOf(changed: Fields, field: string): string {
  const value = field === "best_of" ? (changed as TaskEdit).best_of?.agents : changed[field];
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return text === "" ? (field === "gate" ? "from the template" : "none") : text;
}
