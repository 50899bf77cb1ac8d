/** The right side of a thread whose plan runs: the same tasks as graph, table and timeline. */

import type { ThreadView } from "@/plan/models";
import { Status } from "@/ui/Status";

/** The three views of a running plan. */
export type ExecutionPanel = "graph" | "table" | "timeline";

interface Props {
  readonly thread: ThreadView;
  readonly panel: ExecutionPanel;
  /** The position of the past that is shown; null is now. */
  readonly at: number | null;
}

/** Show how a plan goes. */
export function Execution({ thread, panel }: Props) {
  return (
    <section aria-label={`Tasks, ${panel}`}>
      {thread.tasks.map((task) => (
        <div key={task.task_id}>
          <Status status={task.status} /> {task.title} <span className="dim">{task.doing}</span>
        </div>
      ))}
    </section>
  );
}
