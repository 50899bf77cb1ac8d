/** The graph of a plan that is not approved yet: what each task is, and what stops for a person. */

import { createContext, lazy, Suspense, useContext, useMemo } from "react";
import classes from "@/dag/dag.module.css";
import type { PlannedTask } from "@/plan/models";

const Dag = lazy(() => import("@/dag/Dag"));
const Tasks = createContext<ReadonlyMap<string, PlannedTask>>(new Map());

interface Props {
  readonly label: string;
  readonly tasks: readonly PlannedTask[];
  /** A zoom that several graphs share. */
  readonly zoom?: number | undefined;
  readonly chosen?: string | null | undefined;
  readonly onChoose?: ((id: string) => void) | undefined;
}

/** Show a plan's tasks and what they wait for. */
export function PlanGraph({ label, tasks, zoom, chosen, onChoose }: Props) {
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
  const stops = [
    task.plan_approval === "user" ? "asks you for its plan" : "",
    task.gate === "auto" ? "no gate" : "stops at its gate",
  ].filter((word) => word !== "");
  const facts = [
    task.runs_as === "thread" ? "child thread" : task.mode,
    task.agent ?? "",
    task.ports.length > 0 ? `ports ${task.ports.map((port) => port.id).join(", ")}` : "",
  ].filter((word) => word !== "");
  return (
    <div className={classes.card} data-tone={task.gate === "auto" ? "" : "wait"}>
      <div className={classes.line}>
        <span className={`${classes.words} mono dim`}>{id}</span>
        <span className="dim">{task.decision_id === null ? "" : "needs a decision"}</span>
      </div>
      <div className={`${classes.title} ${classes.two}`}>{task.title}</div>
      <div className={`${classes.words} dim`}>{facts.join(" · ")}</div>
      <div className={classes.words}>{stops.join(" · ")}</div>
    </div>
  );
}
