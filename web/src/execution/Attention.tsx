/** What of a running plan waits for a person: one chip each, its card below. */

import { useState } from "react";
import { useInbox } from "@/api/queries";
import classes from "@/execution/execution.module.css";
import { taskStatusOf } from "@/execution/task_status";
import { AmendmentCard } from "@/plans/AmendmentCard";
import { DecisionCard } from "@/plans/DecisionCard";
import type { ThreadView } from "@/plans/models";
import { kindLabelOf } from "@/ui/inbox_items";

interface Props {
  readonly thread: ThreadView;
  /** Shows a task beside. */
  readonly onTask: (id: string) => void;
}

/** Lead to all that waits; decisions and amendments are answered here, tasks beside. */
export function Attention({ thread, onTask }: Props) {
  const [opened, setOpened] = useState<string | null>(null);
  const amendments = thread.amendments.filter(({ status }) => status === "open");
  const tasks = thread.tasks
    .map((task) => ({ task, ...taskStatusOf(task) }))
    .filter(({ needsYou, isAtWork }) => needsYou && isAtWork);
  const failed = (useInbox().data?.items ?? []).filter(
    ({ kind, thread_id, task_id }) =>
      kind === "escalation" &&
      thread_id === thread.thread_id &&
      Boolean(task_id) &&
      !tasks.some(({ task }) => task.task_id === task_id),
  );
  if (amendments.length + tasks.length + failed.length + thread.decisions.length === 0) {
    return null;
  }
  const toggle = (key: string) => setOpened(opened === key ? null : key);
  const decision = thread.decisions.find(({ id }) => `decision ${id}` === opened);
  const amendment = amendments.find(({ amendment_id }) => amendment_id === opened);
  return (
    <section className={classes.attention} aria-label="Needs you">
      <div className={classes.chips}>
        {thread.decisions.map(({ id, header }) => (
          <Chip
            key={id}
            text={`decision ${header || id}`}
            isOpen={opened === `decision ${id}`}
            onClick={() => toggle(`decision ${id}`)}
          />
        ))}
        {amendments.map(({ amendment_id }) => (
          <Chip
            key={amendment_id}
            text={amendment_id.replace("-", " ")}
            isOpen={opened === amendment_id}
            onClick={() => toggle(amendment_id)}
          />
        ))}
        {failed.map((item) => (
          <Chip
            key={item.item_id}
            text={`${item.task_id}: ${kindLabelOf(item).word}`}
            onClick={() => onTask(item.task_id ?? "")}
          />
        ))}
        {tasks.map(({ task, why }) => (
          <Chip
            key={task.task_id}
            text={`${task.task_id}: ${why}`}
            onClick={() => onTask(task.task_id)}
          />
        ))}
      </div>
      {decision && (
        <DecisionCard
          threadId={thread.thread_id}
          decision={decision}
          wait={thread.running.waits[decision.id]}
          waiting={waitingFor(thread, decision.id)}
        />
      )}
      {amendment && (
        <AmendmentCard threadId={thread.thread_id} amendment={amendment} tasks={thread.tasks} />
      )}
    </section>
  );
}

function waitingFor(thread: ThreadView, decision: string): readonly string[] {
  return thread.tasks
    .filter(({ decision_id, status }) => decision_id === decision && status === "needs_decision")
    .map(({ task_id }) => task_id);
}

interface ChipProps {
  readonly text: string;
  readonly isOpen?: boolean;
  readonly onClick: () => void;
}

function Chip({ text, isOpen, onClick }: ChipProps) {
  return (
    <button
      type="button"
      className={classes.chip}
      title={text}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      ◆ {text}
    </button>
  );
}
