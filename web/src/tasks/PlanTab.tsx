/** The plan of one task: its steps, what could go wrong, and the answer to it. */

import type { Schemas } from "@/api/client";
import { ApproveBar } from "@/plans/ApproveBar";
import classes from "@/tasks/task.module.css";
import { Empty } from "@/ui/Empty";
import { Markdown } from "@/ui/Markdown";
import { Section } from "@/ui/Section";
import { Status } from "@/ui/Status";

interface Props {
  readonly threadId: string;
  readonly task: Schemas["TaskView"];
  readonly isLive: boolean;
}

/** Show a task's plan; while it waits for a person, with the bar that decides. */
export function PlanTab({ threadId, task, isLive }: Props) {
  const { plan, request } = task;
  if (!plan) {
    return (
      <Empty
        title={task.status === "planning" ? "Planning" : "No task plan"}
        text="Tasks get their own plan when the template or the thread's plan requires it."
      />
    );
  }
  const asks = request?.subject === "task_plan" ? request : null;
  return (
    <>
      <div className={classes.row}>
        <Status
          status={task.is_plan_approved ? "completed" : asks ? "waiting" : "planning"}
          word={task.is_plan_approved ? "approved" : asks ? "needs you" : "in review"}
        />
        <span className="dim">
          {task.plan_approval === "user"
            ? "needs a person's approval"
            : "approved by the thread's agent"}
        </span>
      </div>
      {plan.summary !== "" && <Markdown text={plan.summary} />}
      <Section title="Steps">
        <ol className={classes.numbered}>
          {plan.steps.map((step) => (
            <li key={step}>
              <Markdown text={step} />
            </li>
          ))}
        </ol>
      </Section>
      {plan.risks.length > 0 && (
        <Section title="Risks">
          <ul>
            {plan.risks.map((risk) => (
              <li key={risk}>
                <Markdown text={risk} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {asks && isLive && (
        <ApproveBar threadId={threadId} request={asks} taskId={task.task_id} taskPlan={plan} />
      )}
    </>
  );
}
