/** What people say about what of a pull request waits for them. */

import { post } from "@/api/client";

/** Have the thread change its work because of an item: a failed check, a comment or a review. */
export function reworkItem(command_id: string, thread: string, item_id: string) {
  return post("/v1/threads/{thread}/pull-request/rework", { thread }, { command_id, item_id });
}

/** Dismiss an item of a thread's pull request: it does not come again. */
export function dismissItem(command_id: string, thread: string, item_id: string) {
  return post("/v1/threads/{thread}/pull-request/dismiss", { thread }, { command_id, item_id });
}
