/** The graph of a plan that is not approved yet: what each task is, and what stops for a person. */

import { createContext, lazy, type ReactNode, Suspense, useContext, useMemo } from "react";
import classes from "@/plans/graph/dag.module.css";
import type { PlannedTask } from "@/plans/models";
import { Safe } from "@/ui/Safe";

const Dag = lazy(() => import("@/plans/graph/Dag"));
const Tasks = createContext<ReadonlyMap<string, PlannedTask>>(new Map());

interface Props {
  readonly label: string;
  readonly tasks: readonly PlannedTask[];
  /** A zoom that several graphs share. */
  readonly zoom?: number | undefined;
  readonly chosen?: string | null | undefined;
  readonly onChoose?: ((id: string) => void) | undefined;
  /** More buttons beside those of the zoom. */
  readonly tools?: ReactNode;
}

/** Show a plan's tasks and what they wait for. */
export function PlanGraph({ label, tasks, zoom, chosen, onChoose, tools }: Props) {
  const known = useMemo(() => new Map(tasks.map((task) => [task.id, task])), [tasks]);
  return (
    <Tasks value={known}>
      <Suspense fallback={<div className={classes.frame} aria-busy="true" />}>
        <Dag
          label={label}
          nodes={tasks}
          Card={Card}
          zoom={zoom}
          chosen={chosen}
          onChoose={onChoose}
          tools={tools}
        />
      </Suspense>
    </Tasks>
  );
}

function Card({ id }: { readonly id: string }) {
  const task = useContext(Tasks).get(id);
  if (task === undefined) {
    return null;
  }
  const facts = [
    task.runs_as === "thread" ? "child thread" : task.mode,
    task.agent ?? "",
    task.ports.length > 0 ? `ports ${task.ports.map((port) => port.id).join(", ")}` : "",
    task.plan_approval === "user" ? "plan approval" : "",
  ].filter((word) => word !== "");
  return (
    <div className={classes.card} data-tone={task.gate === "ask" ? "wait" : ""}>
      <div className={classes.line}>
        <span className={`${classes.words} mono dim`}>{id}</span>
        <span className={task.gate === "ask" ? classes.stop : "dim"}>
          {task.gate === "ask" ? "◆ gate" : task.gate === "auto" ? "no gate" : ""}
        </span>
      </div>
      <div className={`${classes.title} ${classes.two}`}>
        <Safe text={task.title} />
      </div>
      <div className={`${classes.words} ${classes.last} dim`}>{facts.join(" · ")}</div>
    </div>
  );
}
