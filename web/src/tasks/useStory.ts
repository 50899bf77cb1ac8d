/** The story of a task, read to its beginning and followed. */

import { useEffect } from "react";
import { useLog } from "@/api/events/useLog";
import { type TaskStory, taskStory } from "@/tasks/story";

/** Return what a task's own stream tells; with `at` as it was at that position. */
export function useStory(threadId: string, taskId: string, at: number | null = null): TaskStory {
  const log = useLog(threadId, `${threadId}/${taskId}`, taskStory, at);
  const { hasOlder, isLoading, loadOlder } = log;
  useEffect(() => {
    if (hasOlder && !isLoading) {
      void loadOlder();
    }
  }, [hasOlder, isLoading, loadOlder]);
  return log.state;
}
