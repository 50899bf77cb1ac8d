/** What waits for a person in a session and in its thread, one entry each; pure. */

import type { Schemas } from "@/api/client";
import { familyOf } from "../../api/lines.ts";
import { cardOfItem, kindLabelOf, placeOfItem, subjectOf } from "../../ui/inbox_items.ts";

type InboxItem = Schemas["InboxItem"];
type ThreadView = Schemas["ThreadView"];

/** One thing that waits. What is answered in the tray has its card there; all else has a page. */
export type Wait = { readonly key: string; readonly name: string } & (
  | { readonly kind: "question"; readonly open: ThreadView["questions"][number] }
  | { readonly kind: "plan first?"; readonly request: Schemas["ApprovalRequest"] }
  | { readonly kind: "decision"; readonly decision: ThreadView["decisions"][number] }
  | { readonly kind: "amendment"; readonly amendment: ThreadView["amendments"][number] }
  | { readonly kind: "conflict"; readonly found: ThreadView["conflicts"][number] }
  | { readonly kind: "plan again"; readonly since: string; readonly reason: string }
  | { readonly kind: "set-up failed" }
  | { readonly kind: "page"; readonly word: string; readonly icon: string; readonly href: string }
);

/**
 * Return all that the inbox has of a thread and its children: first what is answered in place.
 *
 * A plan has a place of its own beside, and is an entry here only among others.
 */
export function waitsOf(
  thread: ThreadView,
  session: string,
  items: readonly InboxItem[],
): readonly Wait[] {
  const unplanned = items.filter((item) => isUnplanned(item, thread.thread_id));
  const setUps = items.filter(
    ({ kind, thread_id }) => kind === "set_up" && thread_id === thread.thread_id,
  );
  const cards = [
    ...cardsOf(thread, session),
    ...setUps.map(
      ({ item_id, subject }): Wait => ({ kind: "set-up failed", key: item_id, name: subject }),
    ),
    ...unplanned.map(againOf),
  ];
  const family = familyOf(thread);
  const pages = items.filter(
    (item) =>
      family.includes(item.thread_id ?? "") &&
      item.kind !== "mention" &&
      !(item.thread_id === thread.thread_id && hasCard(item, session)) &&
      !unplanned.includes(item),
  );
  const isPlanAlone = cards.length === 0 && pages.every(({ kind }) => kind === "plan");
  return isPlanAlone ? [] : [...cards, ...pages.map((item) => pageOf(item, thread))];
}

const ANSWERED_HERE = new Set<InboxItem["kind"]>([
  "suggestion",
  "decision",
  "amendment",
  "conflict",
  "set_up",
]);

function hasCard(item: InboxItem, session: string): boolean {
  return item.kind === "question" ? item.session_id === session : ANSWERED_HERE.has(item.kind);
}

/** Whether the planning of a thread has ended without a plan. */
function isUnplanned(item: InboxItem, thread: string): boolean {
  return item.kind === "escalation" && item.thread_id === thread && !item.task_id;
}

function againOf({ item_id, subject, reason, since }: InboxItem): Wait {
  return { kind: "plan again", key: item_id, name: subject, since, reason };
}

function pageOf(item: InboxItem, thread: ThreadView): Wait {
  const { word, icon } = kindLabelOf(item);
  const about = subjectOf(item) || item.title;
  return {
    kind: "page",
    key: item.item_id,
    name: item.thread_id === thread.thread_id ? about : `${item.title}: ${about}`,
    word,
    icon: icon ?? item.kind,
    href: item.limit ? cardOfItem(item) : placeOfItem(item),
  };
}

function cardsOf(thread: ThreadView, session: string): readonly Wait[] {
  return [
    ...thread.questions
      .filter(({ question }) => question.session_id === session)
      .map((open): Wait => {
        const { question_id: key, header, title } = open.question;
        return { kind: "question", key, name: header || title, open };
      }),
    ...thread.requests
      .filter(({ request }) => request.subject === "suggestion")
      .map(({ request }): Wait => {
        const name = request.title.replace(/^Plan first: /, "");
        return { kind: "plan first?", key: request.request_id, name, request };
      }),
    ...thread.decisions.map(
      (decision): Wait => ({
        kind: "decision",
        key: `decision ${decision.id}`,
        name: decision.question,
        decision,
      }),
    ),
    ...thread.amendments
      .filter(({ status }) => status === "open")
      .map((amendment): Wait => {
        const { amendment_id: key, amendment: proposal } = amendment;
        return { kind: "amendment", key, name: proposal.why, amendment };
      }),
    ...thread.conflicts.map(
      (found): Wait => ({
        kind: "conflict",
        key: `conflict ${found.conflict.session_id ?? found.conflict.task_id}`,
        name: found.conflict.session_id?.split("/").at(-1) ?? found.conflict.task_id,
        found,
      }),
    ),
  ];
}
