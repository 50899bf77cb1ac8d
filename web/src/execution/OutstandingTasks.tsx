/** The tasks of a plan that stopped before they were done, and how each is fixed. */

import { Link } from "wouter";
import { useCommand } from "@/api/commands";
import { retryTask } from "@/api/thread_commands";
import classes from "@/execution/execution.module.css";
import { plural } from "@/format";
import { listed } from "@/plans/consequences";
import type { ThreadView } from "@/plans/models";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Status } from "@/ui/Status";

interface Props {
  readonly thread: ThreadView;
  readonly isReadOnly: boolean;
}

/** List what must be fixed; a task that failed can be run again here. */
export function OutstandingTasks({ thread, isReadOnly }: Props) {
  const { outstanding } = thread.running;
  if (outstanding.length === 0) {
    return null;
  }
  return (
    <details className={classes.outstanding}>
      <summary>
        {plural(outstanding.length, "task")} to fix:{" "}
        {listed(outstanding.map(({ task_id, status }) => `${task_id} (${status})`))}
      </summary>
      <ul>
        {outstanding.map(({ task_id, status, reason, remedy }) => (
          <li key={task_id}>
            <Status status={status} word={status} />{" "}
            <Link href={`/threads/${thread.thread_id}/tasks/${task_id}`}>{task_id}</Link> {reason}
            <div className="dim">
              <code>{remedy}</code>
            </div>
            {!isReadOnly && status === "failed" && (
              <RetryButton threadId={thread.thread_id} task={task_id} />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function RetryButton({ threadId, task }: { readonly threadId: string; readonly task: string }) {
  const command = useCommand((id: string) => retryTask(id, threadId, task));
  return (
    <>
      <CommandButton
        variant="default"
        command={command}
        done="Sent"
        onClick={() => void command.send()}
      >
        {`Retry ${task}`}
      </CommandButton>
      <Failure problem={command.problem} />
    </>
  );
}
