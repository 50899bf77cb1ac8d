/** What people say to a watched pull request. */

import { post } from "@/api/client";

/** Have the thread change its work because of an item: a failed check, a comment or a review. */
export function reworkItem(command_id: string, thread: string, item_id: string) {
  return post("/v1/threads/{thread}/pull-request/rework", { thread }, { command_id, item_id });
}

/** Dismiss an item of a thread's pull request: it does not come again. */
export function dismissItem(command_id: string, thread: string, item_id: string) {
  return post("/v1/threads/{thread}/pull-request/dismiss", { thread }, { command_id, item_id });
}

/** Have the forge merge the commit that was shown. */
export function merge(
  command_id: string,
  thread: string,
  how: {
    readonly commit: string;
    readonly method: "merge" | "squash" | "rebase";
    readonly timing: "now" | "when_ready";
  },
) {
  return post("/v1/threads/{thread}/pull-request/merge", { thread }, { command_id, ...how });
}

/** Have the forge not merge by itself. */
export function cancelMerge(command_id: string, thread: string) {
  return post("/v1/threads/{thread}/pull-request/cancel-merge", { thread }, { command_id });
}

/** Look at it now. */
export function lookNow(command_id: string, thread: string) {
  return post("/v1/threads/{thread}/pull-request/look", { thread }, { command_id });
}

/** Watch it again, or not any more. */
export function setWatched(command_id: string, thread: string, isWatched: boolean) {
  return isWatched
    ? post("/v1/threads/{thread}/pull-request/watch", { thread }, { command_id })
    : post("/v1/threads/{thread}/pull-request/unwatch", { thread }, { command_id });
}
