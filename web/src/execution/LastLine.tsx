/** What the agent of a task did last. */

import { activityFold } from "@/api/events/activity";
import { useLog } from "@/api/events/useLog";
import { conversationOf } from "@/execution/task_status";
import type { TaskView } from "@/plans/models";

interface Props {
  readonly threadId: string;
  readonly task: TaskView;
  /** What is said while nothing is known. */
  readonly fallback: string;
}

/** Follow a task's conversation by its newest line. */
export function LastLine({ threadId, task, fallback }: Props) {
  const conversation = conversationOf(task);
  return conversation === null || task.activity === "verifying" ? (
    <span className="dim">{fallback}</span>
  ) : (
    <Line threadId={threadId} stream={conversation} fallback={fallback} />
  );
}

interface LineProps {
  readonly threadId: string;
  readonly stream: string;
  readonly fallback: string;
}

function Line({ threadId, stream, fallback }: LineProps) {
  const { state } = useLog(threadId, stream, activityFold);
  return (
    <span className="dim" title={state.text}>
      {state.text === "" ? fallback : state.text}
    </span>
  );
}
