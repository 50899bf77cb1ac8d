/** Which requests wait for a person; pure. */

import type { Schemas } from "@/api/client";
import { flowRequestId, keyOf, replyId } from "../api/request_keys.ts";

type Item = Pick<
  Schemas["InboxItem"],
  | "kind"
  | "thread_id"
  | "run_id"
  | "task_id"
  | "request"
  | "requests"
  | "amendment"
  | "flow_request"
>;

/** What is answered by a message to its task. */
const MESSAGES: readonly string[] = ["review_held", "escalation"];

/** Return the keys of all that an inbox asks to approve or to answer in words. */
export function requestsOf(items: readonly Item[]): ReadonlySet<string> {
  return new Set(items.flatMap(keysOf));
}

function keysOf(item: Item): readonly string[] {
  const { thread_id: thread, request, requests, amendment, flow_request: ofFlow } = item;
  const approvals = [request, amendment?.request, ...requests].flatMap((asked) =>
    asked ? [keyOf(thread ?? "", asked.request_id)] : [],
  );
  return [
    ...approvals,
    ...(ofFlow ? [keyOf("", flowRequestId(item.run_id ?? "", ofFlow.request.request_id))] : []),
    ...(item.task_id && MESSAGES.includes(item.kind)
      ? [keyOf(thread ?? "", replyId(item.task_id))]
      : []),
  ];
}
