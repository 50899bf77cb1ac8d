/** The right side of a thread whose plan runs: the same tasks as graph, table and timeline. */

import { ActionIcon, SegmentedControl } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Maximize2, Minimize2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import { Attention } from "@/execution/Attention";
import { Children } from "@/execution/Children";
import classes from "@/execution/execution.module.css";
import { History } from "@/execution/History";
import { OutstandingTasks } from "@/execution/OutstandingTasks";
import { Tally } from "@/execution/Tally";
import { TaskGraph } from "@/execution/TaskGraph";
import { TaskSide } from "@/execution/TaskSide";
import { TaskTable } from "@/execution/TaskTable";
import { Timeline } from "@/execution/Timeline";
import { useKeys } from "@/keyboard/registry";
import type { ThreadView } from "@/plans/models";

/** The three views of a running plan. */
export type ExecutionPanel = "graph" | "table" | "timeline";

interface Props {
  readonly thread: ThreadView;
  readonly panel: ExecutionPanel;
  /** The position of the past that is shown; null is now. */
  readonly at: number | null;
  /** Stands above the tasks, like what a plan came to. */
  readonly children?: ReactNode;
}

const VIEWS = [
  { value: "graph", label: "Graph", keys: "g" },
  { value: "table", label: "Table", keys: "t" },
  { value: "timeline", label: "Timeline", keys: "l" },
] as const;

/** Show how a plan goes; the view is in the address. */
export function Execution({ thread, panel, at, children }: Props) {
  const [, setParams] = useSearchParams();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isFull, setFull] = useState(false);
  const isNarrow = useMediaQuery("(max-width: 760px)") ?? false; // else the conversation beside says what waits
  const show = (view: string) =>
    setParams((params) => {
      params.set("panel", view);
      return params;
    });
  useKeys("Tasks", [
    { keys: "f", label: "Tasks in full screen", run: () => setFull(!isFull) },
    ...(isFull ? [{ keys: "Escape", label: "Exit full screen", run: () => setFull(false) }] : []),
  ]);
  const task = thread.tasks.find(({ task_id }) => task_id === chosen);
  const choose = (id: string) => setChosen(id === chosen ? null : id);
  return (
    <section className={classes.execution} aria-label="Tasks" data-full={isFull}>
      <header className={classes.head}>
        <Tally thread={thread} isLive={at === null} />
        <span className={classes.views}>
          <SegmentedControl
            aria-label="Task view"
            value={panel}
            onChange={show}
            data={VIEWS.map(({ value, label, keys }) => ({
              value,
              label: (
                <>
                  {label} <kbd className="dim">{keys.toUpperCase()}</kbd>
                </>
              ),
            }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={isFull ? "Exit full screen" : "Full screen"}
            onClick={() => setFull(!isFull)}
          >
            {isFull ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
          </ActionIcon>
        </span>
      </header>
      {at === null && (isFull || isNarrow) && <Attention thread={thread} onTask={setChosen} />}
      {children}
      <OutstandingTasks thread={thread} isReadOnly={at !== null} />
      <div className={classes.main} data-view={panel}>
        <div className={classes.view}>
          {panel === "graph" && (
            <TaskGraph
              thread={thread}
              tasks={thread.tasks}
              at={at}
              isFull={isFull}
              chosen={chosen}
              onChoose={choose}
            />
          )}
          {panel === "table" && (
            <TaskTable thread={thread} at={at} chosen={chosen} onChoose={choose} />
          )}
          {panel === "timeline" && <Timeline threadId={thread.thread_id} at={at} />}
        </div>
        {task && <TaskSide thread={thread} task={task} at={at} onClose={() => setChosen(null)} />}
      </div>
      <Children thread={thread} />
      <History thread={thread} isReadOnly={at !== null} />
    </section>
  );
}
