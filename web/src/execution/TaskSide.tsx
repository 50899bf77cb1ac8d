/** One task beside the others: what it does, what it waits for, and the answer to what it asks. */

import { CloseButton } from "@mantine/core";
import { Link } from "wouter";
import classes from "@/execution/execution.module.css";
import { agentOf, attemptOf, taskStatusOf } from "@/execution/task_status";
import { ApproveBar } from "@/plans/ApproveBar";
import type { TaskView, ThreadView } from "@/plans/models";
import { Elapsed } from "@/ui/Ago";
import { LinkButton } from "@/ui/LinkButton";
import { Markdown } from "@/ui/Markdown";
import { Facts } from "@/ui/Page";
import { Status } from "@/ui/Status";

interface Props {
  readonly thread: ThreadView;
  readonly task: TaskView;
  readonly at: number | null;
  readonly onClose: () => void;
}

/** Show a task without leaving the plan. */
export function TaskSide({ thread, task, at, onClose }: Props) {
  const { status, why } = taskStatusOf(task);
  const home = `/threads/${thread.thread_id}/tasks/${task.task_id}`;
  const address = at === null ? home : `${home}?at=${at}`;
  const { snapshot, plan } = task;
  return (
    <aside className={classes.beside} aria-label={`Task ${task.task_id}`}>
      <div className={classes.besideHead}>
        <strong>{task.title}</strong>
        <CloseButton size="sm" aria-label="Close task" onClick={onClose} />
      </div>
      <div>
        <Status status={status} /> <span className="dim">{why}</span>
      </div>
      <Facts
        facts={[
          [
            "Id",
            <span key="id" className="mono">
              {task.task_id}
            </span>,
          ],
          ["Agent", agentOf(task)],
          ["Attempt", attemptOf(task)],
          [
            "Time",
            task.started_at ? (
              <Elapsed key="t" from={task.started_at} to={task.ended_at ?? null} />
            ) : (
              ""
            ),
          ],
          ["Depends on", task.depends_on.join(", ")],
          ["Task plan", approvalOf(task)],
          [
            "Changes",
            snapshot
              ? `+${snapshot.insertions} −${snapshot.deletions} in ${snapshot.file_count} files`
              : "",
          ],
          [
            "Ports",
            Object.entries(task.ports)
              .map(([id, port]) => `${id} :${port}`)
              .join(", "),
          ],
        ]}
      />
      {task.description !== "" && <Markdown text={task.description} />}
      {plan && (
        <section aria-label="Plan">
          {plan.summary !== "" && <Markdown text={plan.summary} />}
          <ol className={classes.steps}>
            {plan.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
      )}
      {at === null && task.request?.subject === "task_plan" && plan && (
        <ApproveBar
          threadId={thread.thread_id}
          request={task.request}
          taskId={task.task_id}
          taskPlan={plan}
        />
      )}
      <div className={classes.besideLinks}>
        <LinkButton to={address}>Open task</LinkButton>
        {task.request?.subject === "gate" && <LinkButton to={`${home}/review`}>Review</LinkButton>}
        {task.child && <Link href={`/threads/${task.child}`}>Open thread</Link>}
      </div>
    </aside>
  );
}

function approvalOf({ plan_approval, is_plan_approved }: TaskView): string {
  if (!plan_approval) {
    return "";
  }
  const who = plan_approval === "user" ? "needs your approval" : "reviewed by an agent";
  return is_plan_approved ? `${who}; approved` : who;
}
