/** What waits for a person in a session and in its thread, one entry each; pure. */

import type { Schemas } from "@/api/client";
import { taskStatusOf } from "../../execution/task_status.ts";

type ThreadView = Schemas["ThreadView"];

/** One thing that waits. What is answered in the tray has its card there; tasks and threads have pages. */
export type Wait = { readonly key: string; readonly name: string } & (
  | { readonly kind: "question"; readonly open: ThreadView["questions"][number] }
  | { readonly kind: "plan first?"; readonly request: Schemas["ApprovalRequest"] }
  | { readonly kind: "decision"; readonly decision: ThreadView["decisions"][number] }
  | { readonly kind: "amendment"; readonly amendment: ThreadView["amendments"][number] }
  | { readonly kind: "conflict"; readonly found: ThreadView["conflicts"][number] }
  | { readonly kind: "task"; readonly task: string }
  | { readonly kind: "thread"; readonly thread: string }
);

/** Return what waits: first what is answered in place; plans have a place of their own. */
export function waitsOf(thread: ThreadView, session: string): readonly Wait[] {
  const inConflict = new Set(thread.conflicts.map(({ conflict }) => conflict.task_id));
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
    ...tasksOf(thread).filter(({ key }) => !inConflict.has(key)),
  ];
}

function tasksOf(thread: ThreadView): readonly Wait[] {
  return thread.tasks.flatMap((task): Wait[] => {
    const { needsYou, isAtWork, why } = taskStatusOf(task);
    if (!needsYou || !isAtWork) {
      return [];
    }
    const { task_id: key, title } = task;
    const name = `${title}: ${why}`;
    const child = thread.children.find(({ task_id }) => task_id === key);
    return child === undefined
      ? [{ kind: "task", key, name, task: key }]
      : [{ kind: "thread", key, name, thread: child.thread_id }];
  });
}
