/** What people say about what of a pull request waits for them. */

import { post } from "@/api/client";

/** Dismiss an item of a thread's pull request: it does not come again. */
export function dismissItem(command_id: string, thread: string, item_id: string) {
  return post("/v1/threads/{thread}/pull-request/dismiss", { thread }, { command_id, item_id });
}
