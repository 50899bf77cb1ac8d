/** A running plan as a graph: what each task does, or why it does not run. */

import { Button } from "@mantine/core";
import { createContext, lazy, Suspense, useContext, useMemo, useState } from "react";
import { LastLine } from "@/execution/LastLine";
import { TaskStore, useTaskOf, useTaskStore } from "@/execution/store";
import { agentOf, attemptOf, edgeStateOf, focusOf, taskStatusOf } from "@/execution/task_status";
import classes from "@/plans/graph/dag.module.css";
import type { TaskView, ThreadView } from "@/plans/models";
import { Elapsed } from "@/ui/Ago";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

const MANY_TASKS = 8;

const Dag = lazy(() => import("@/plans/graph/Dag"));

interface Frame {
  readonly store: TaskStore;
  readonly threadId: string;
  readonly at: number | null;
}

const FrameContext = createContext<Frame>({ store: new TaskStore([]), threadId: "", at: null });

interface Props {
  readonly thread: ThreadView;
  readonly tasks: readonly TaskView[];
  readonly at: number | null;
  /** In full screen: the graph is fitted to its place anew. */
  readonly isFull: boolean;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

/** Show tasks as nodes; a change of a status moves none of them. */
export function TaskGraph({ thread, tasks, at, isFull, chosen, onChoose }: Props) {
  const store = useTaskStore(tasks);
  const frame = useMemo(
    () => ({ store, threadId: thread.thread_id, at }),
    [store, thread.thread_id, at],
  );
  const [isFolded, setFolded] = useState(false);
  const done = tasks.filter(({ status }) => status === "completed").length;
  const nodes = tasks
    .filter(({ status }) => !isFolded || status !== "completed")
    .map(({ task_id, depends_on }) => ({ id: task_id, depends_on }));
  const byId = new Map(tasks.map((task) => [task.task_id, task]));
  return (
    <FrameContext value={frame}>
      <Suspense fallback={<div className={classes.frame} aria-busy="true" />}>
        <Dag
          key={`${isFolded} ${isFull}`}
          label="Task graph: move with the arrow keys; the table has the same content"
          nodes={nodes}
          Card={Card}
          edgeInto={(id) => edgeStateOf(byId.get(id))}
          toneOf={(id) => {
            const task = byId.get(id);
            return task ? `--${taskStatusOf(task).tone}` : "--idle";
          }}
          focus={focusOf(tasks)}
          chosen={chosen}
          onChoose={onChoose}
          tools={
            tasks.length >= MANY_TASKS && done > 0 && done < tasks.length ? (
              <Button
                variant="default"
                aria-pressed={isFolded}
                onClick={() => setFolded(!isFolded)}
              >
                {isFolded ? `Show ${done} completed` : `Hide ${done} completed`}
              </Button>
            ) : null
          }
        />
      </Suspense>
    </FrameContext>
  );
}

function Card({ id }: { readonly id: string }) {
  const { store, threadId, at } = useContext(FrameContext);
  const task = useTaskOf(store, id);
  if (task === undefined) {
    return null;
  }
  const { status, tone, why, needsYou, isAtWork } = taskStatusOf(task);
  const facts = [agentOf(task), attemptOf(task)].filter((word) => word !== "").join(" · ");
  return (
    <div className={classes.card} data-tone={tone} data-border={borderOf(task, needsYou)}>
      <div className={classes.line}>
        <Status status={status} />
        {task.started_at && (
          <span className="dim">
            <Elapsed from={task.started_at} to={task.ended_at ?? null} />
          </span>
        )}
      </div>
      <div className={classes.line}>
        <span className={`${classes.title} ${classes.words}`} title={task.title}>
          <Safe text={task.title} />
        </span>
      </div>
      <div className={`${classes.line} dim`}>
        <span className={`${classes.words} mono`}>{id}</span>
        <span className={classes.words}>{facts}</span>
      </div>
      <div className={classes.words}>
        {isAtWork && !needsYou && at === null ? (
          <LastLine threadId={threadId} task={task} fallback={why} />
        ) : (
          <span className={needsYou ? undefined : "dim"}>{why}</span>
        )}
      </div>
    </div>
  );
}

function borderOf(task: TaskView, needsYou: boolean): string {
  return needsYou || task.status === "pending" ? "dashed" : "solid";
}
