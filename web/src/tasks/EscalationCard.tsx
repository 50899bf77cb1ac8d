/** A task that failed: what failed, what was kept, and the two sensible ways on. */

import { Group } from "@mantine/core";
import { useCommand } from "@/api/commands";
import { useTask } from "@/api/queries";
import { retryTask } from "@/api/thread_commands";
import { failureOf } from "@/tasks/failure";
import { Output } from "@/tasks/Output";
import classes from "@/tasks/review/review.module.css";
import { useAccidentGuard } from "@/ui/accident_guard";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly threadId: string;
  readonly taskId: string;
}

/** Show a failed task with what a person can do about it. */
export function EscalationCard({ threadId, taskId }: Props) {
  const task = useTask(threadId, taskId).data;
  const again = useCommand((id: string) => retryTask(id, threadId, taskId));
  const isArmed = useAccidentGuard(`${taskId} ${task?.run ?? 0}`);
  if (task === undefined) {
    return <p className="dim">Loading…</p>;
  }
  const { failed, saved, next, raw } = failureOf(task);
  return (
    <section className={classes.card} data-tone="fail" aria-label={`Failure of ${task.title}`}>
      <div className={classes.cardHead}>
        <Status status={task.status} />
        <strong>
          <Safe text={task.title} />
        </strong>
      </div>
      <div>
        <Safe text={failed} />
      </div>
      <div className="dim">
        {saved} {next}
        {task.snapshot && " Retry starts over; Open also lets you continue from the saved files."}
      </div>
      {raw !== "" && (
        <details>
          <summary>Output of the failed steps</summary>
          <Output text={raw} />
        </details>
      )}
      <Group gap={6}>
        <CommandButton
          variant="default"
          done="Sent"
          command={again}
          onClick={() => isArmed() && void again.send()}
        >
          Retry
        </CommandButton>
        <LinkButton to={`/threads/${threadId}/tasks/${taskId}?tab=recovery`}>Open</LinkButton>
      </Group>
      <Failure problem={again.problem} note="Nothing was started." />
    </section>
  );
}
