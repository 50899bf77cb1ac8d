/**
 * The tasks of a plan as a table: the view for keyboards, screen readers and phones.
 *
 * Of many tasks it has the first, those that are found, and those that need somebody.
 */

import { ArrowDown, ArrowUp } from "lucide-react";
import { type KeyboardEvent, memo, useCallback, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import classes from "@/execution/execution.module.css";
import { LastLine } from "@/execution/LastLine";
import { type Column, clicked, type Order, sorted } from "@/execution/sorting";
import { agentOf, attemptOf, taskStatusOf } from "@/execution/task_status";
import type { TaskView, ThreadView } from "@/plans/models";
import { Elapsed } from "@/ui/Ago";
import { spentOf } from "@/ui/money";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";
import { useShortList } from "@/ui/useShortList";

interface Props {
  readonly thread: ThreadView;
  readonly at: number | null;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

const COLUMNS: readonly (readonly [Column, string])[] = [
  ["status", "Status"],
  ["task", "Task"],
  ["agent", "Agent"],
  ["time", "Time"],
  ["cost", "Cost"],
];

/** List tasks; one row is the Tab stop, arrows go through them, Enter shows one beside. */
export function TaskTable({ thread, at, chosen, onChoose }: Props) {
  const [order, setOrder] = useState<Order>({ column: "plan", isDown: false });
  const [active, setActive] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const {
    shown: tasks,
    field,
    more,
  } = useShortList(
    sorted(thread.tasks, order, agentOf),
    "task",
    (task) => `${task.task_id} ${task.title} ${taskStatusOf(task).status}`,
    (task) => task.task_id === chosen || taskStatusOf(task).needsYou,
  );
  const go = (row: number) => {
    const goal = Math.max(0, Math.min(tasks.length - 1, row));
    setActive(goal);
    body.current?.querySelector<HTMLElement>(`[data-row="${goal}"]`)?.focus();
  };
  const latest = useRef(onChoose);
  useEffect(() => {
    latest.current = onChoose;
  });
  const choose = useCallback((row: number, id: string) => {
    setActive(row);
    latest.current(id);
  }, []);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.row === undefined) {
      return;
    }
    const goal = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: tasks.length - 1 }[
      event.key
    ];
    const task = tasks[active];
    if (goal !== undefined) {
      event.preventDefault();
      go(goal);
    } else if (event.key === "Enter" && task) {
      event.preventDefault();
      onChoose(task.task_id);
    }
  };
  return (
    <div className={classes.tableFrame}>
      {field}
      <table className={classes.table} aria-label="Tasks">
        <thead>
          <tr>
            {COLUMNS.map(([column, label]) => (
              <Header
                key={column}
                label={label}
                order={order}
                column={column}
                onClick={() => setOrder(clicked(order, column))}
              />
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={press}>
          {tasks.map((task, index) => (
            <Row
              key={task.task_id}
              threadId={thread.thread_id}
              task={task}
              index={index}
              at={at}
              isActive={index === active}
              isChosen={task.task_id === chosen}
              onChoose={choose}
            />
          ))}
        </tbody>
      </table>
      {more}
    </div>
  );
}

interface HeaderProps {
  readonly label: string;
  readonly column: Column;
  readonly order: Order;
  readonly onClick: () => void;
}

function Header({ label, column, order, onClick }: HeaderProps) {
  const isSorted = order.column === column;
  const way = order.isDown ? "descending" : "ascending";
  const Arrow = order.isDown ? ArrowDown : ArrowUp;
  return (
    <th scope="col" aria-sort={isSorted ? way : "none"} data-column={column}>
      <button type="button" className={classes.sort} onClick={onClick}>
        {label} {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  );
}

interface RowProps {
  readonly threadId: string;
  readonly task: TaskView;
  readonly index: number;
  readonly at: number | null;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (row: number, id: string) => void;
}

/** A row, drawn again only where its own task changed. */
const Row = memo(({ threadId, task, index, at, isActive, isChosen, onChoose }: RowProps) => {
  const { status, why, needsYou, isAtWork } = taskStatusOf(task);
  const home = `/threads/${threadId}/tasks/${task.task_id}`;
  return (
    <tr
      data-row={index}
      data-chosen={isChosen}
      tabIndex={isActive ? 0 : -1}
      onClick={() => onChoose(index, task.task_id)}
    >
      <td data-column="status">
        <Status status={status} />
      </td>
      <td data-column="task">
        <div className={classes.title}>
          <Link
            href={at === null ? home : `${home}?at=${at}`}
            tabIndex={-1}
            onClick={(event) => event.stopPropagation()}
          >
            <Safe text={task.title} />
          </Link>{" "}
          <span className="mono dim">{task.task_id}</span>
        </div>
        <div className={classes.why}>
          {isAtWork && !needsYou && at === null ? (
            <LastLine threadId={threadId} task={task} fallback={why} />
          ) : (
            <span className={needsYou ? undefined : "dim"}>{why}</span>
          )}
        </div>
      </td>
      <td data-column="agent" className="dim">
        {agentOf(task)}
        {attemptOf(task) !== "" && <div>{attemptOf(task)}</div>}
      </td>
      <td data-column="time" className="dim">
        {task.started_at && <Elapsed from={task.started_at} to={task.ended_at ?? null} />}
      </td>
      <td data-column="cost" className="dim">
        {spentOf(task.money)}
      </td>
    </tr>
  );
});
Row.displayName = "Row";
