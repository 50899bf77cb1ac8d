/** What the kinds of the inbox are called, and where each is looked at whole; pure. */

import type { Schemas } from "@/api/client";
import { plural } from "../format.ts";

type InboxItem = Schemas["InboxItem"];
type Kind = InboxItem["kind"];

/** How a kind looks: its word, and the status whose colour and shape it has. */
export interface KindLabel {
  readonly word: string;
  readonly status: string;
  /** The kind whose shape it has, where that is another. */
  readonly icon?: string;
}

const LOOKS: Readonly<Record<Kind, KindLabel>> = {
  plan: { word: "plan", status: "waiting" },
  suggestion: { word: "plan first?", status: "waiting" },
  task_plan: { word: "task plan", status: "waiting" },
  amendment: { word: "amendment", status: "waiting" },
  gate: { word: "gate", status: "waiting" },
  best_of: { word: "best of", status: "waiting" },
  decision: { word: "decision", status: "needs_decision" },
  question: { word: "question", status: "waiting" },
  conflict: { word: "conflict", status: "waiting" },
  review_held: { word: "review on hold", status: "blocked" },
  escalation: { word: "failed", status: "failed" },
  concern: { word: "concern", status: "waiting" },
  set_up: { word: "set-up failed", status: "failed" },
  flow_question: { word: "flow question", status: "waiting" },
  host_silent: { word: "host silent", status: "failed" },
  pull_request: { word: "pull request", status: "waiting" },
  issue: { word: "issue", status: "waiting" },
  mention: { word: "mention", status: "waiting" },
  limit: { word: "limit reached", status: "blocked" },
  limit_near: { word: "limit near", status: "waiting" },
};

/** All kinds, to choose from. */
export const KINDS: { value: Kind; label: string }[] = (Object.keys(LOOKS) as Kind[]).map(
  (value) => ({ value, label: LOOKS[value].word }),
);

/** Return how an item's kind looks; an escalation whose task only asks is no failure. */
export function kindLabelOf(item: InboxItem): KindLabel {
  if (item.kind === "escalation" && isAsking(item)) {
    return { word: "asks you", status: "waiting", icon: "question" };
  }
  if (item.kind === "question" && item.question?.question.kind === "permission") {
    return { word: "permission", status: "waiting", icon: "permission" };
  }
  return LOOKS[item.kind];
}

/** Tell whether an escalated task has not failed, but waits for an answer: then it asks itself. */
export function isAsking(item: InboxItem): boolean {
  return item.kind === "escalation" && Boolean(item.task_id) && item.workflow_id !== item.thread_id;
}

/** Tell whether an item is a spending limit of no thread: the report has the month. */
export function isOfReport(item: InboxItem): boolean {
  return item.workflow_id === "money" && !item.thread_id;
}

/** Return the address where an item is looked at whole. */
export function placeOfItem(item: InboxItem): string {
  if (item.run_id) {
    return `/flow-runs/${item.run_id}`;
  }
  if (item.workflow_id === "queue") {
    return "/queue";
  }
  if (item.host) {
    return "/hosts";
  }
  if (isOfReport(item)) {
    return "/report";
  }
  const thread = `/threads/${item.thread_id ?? ""}`;
  const task = item.task_id ? `${thread}/tasks/${item.task_id}` : null;
  switch (item.kind) {
    case "plan":
      return item.plans > 1 ? `${thread}/compare` : `${thread}?panel=plan`;
    case "gate":
      return task === null ? thread : `${task}/review`;
    case "task_plan":
      return task === null ? thread : `${task}?tab=plan`;
    case "pull_request":
      return `${thread}?panel=request`;
    case "review_held":
      return task === null ? thread : `${task}?tab=verification`;
    case "question":
      return task ?? `${thread}?session=${encodeURIComponent(item.session_id ?? "")}`;
    default:
      return task ?? thread;
  }
}

/** Return the address of an item's card in the inbox: what is answered nowhere else. */
export function cardOfItem({ item_id }: Pick<InboxItem, "item_id">): string {
  return `/?item=${encodeURIComponent(item_id)}`;
}

/** Return what an item is about, without what its kind and title beside it say already. */
export function subjectOf({ title, subject }: Pick<InboxItem, "title" | "subject">): string {
  const text = subject.replace(/^(permission|decision): /, "");
  if (text.startsWith(`Host ${title} `)) {
    return text.slice(`Host ${title} `.length);
  }
  const rest = text.startsWith(title) ? text.slice(title.length) : text;
  return rest === "" ? "" : (/^ \((.*)\)$/.exec(rest)?.[1] ?? text);
}

/** Say what an item holds up, where that is known; plans and amendments say their size themselves. */
export function factsOf(item: InboxItem): string {
  if (item.tasks === 0 || (item.kind !== "escalation" && item.kind !== "decision")) {
    return "";
  }
  return `blocks ${plural(item.tasks, "task")}`;
}

/** Return the item that is open once the open one was answered: the one that took its place. */
export function nextKey(
  before: readonly string[],
  now: readonly string[],
  open: string | null,
): string | null {
  if (open !== null && now.includes(open)) {
    return open;
  }
  const index = open === null ? 0 : before.indexOf(open);
  const after = before.slice(index + 1).find((key) => now.includes(key));
  return after ?? now[Math.min(Math.max(0, index), now.length - 1)] ?? null;
}

/** Say why no step speaks for a change; empty where one ran. */
export function missingEvidenceOf(
  evidence: Pick<Schemas["Evidence"], "is_verified" | "passed" | "failed" | "failed_optional">,
): string {
  if (evidence.passed + evidence.failed + evidence.failed_optional > 0) {
    return "";
  }
  return evidence.is_verified ? "no verification steps" : "not verified yet";
}
