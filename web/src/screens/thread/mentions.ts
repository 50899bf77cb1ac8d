/** Where a person is mentioned in a thread: seen once they look at it. */

import { useEffect, useSyncExternalStore } from "react";
import { post } from "@/api/client";
import { useInbox, useRefresh } from "@/api/queries";

/** Note that a person has seen where they are mentioned in a thread. */
export function seeMentions(command_id: string, thread: string) {
  return post("/v1/threads/{thread}/mentions/seen", { thread }, { command_id });
}

function followVisibility(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

/** Dismiss the mentions of whoever looks at a thread, while its tab is visible. */
export function useMentionsSeen(thread: string): void {
  const items = useInbox().data?.items ?? [];
  const isVisible = useSyncExternalStore(
    followVisibility,
    () => document.visibilityState === "visible",
  );
  const newest = items.find((each) => each.kind === "mention" && each.thread_id === thread)?.since;
  const refresh = useRefresh(["inbox"]);
  useEffect(() => {
    if (newest !== undefined && isVisible) {
      // one that is not noted stays in the inbox, where it can be dismissed
      seeMentions("", thread).then(refresh, () => {});
    }
  }, [newest, isVisible, thread, refresh]);
}
