/** The graphs of plans side by side, all at the same zoom. */

import { useElementSize } from "@mantine/hooks";
import { layoutOf } from "@/plans/graph/layout";
import { PlanGraph } from "@/plans/PlanGraph";
import type { Planner } from "@/plans/planners";
import classes from "@/screens/compare/compare.module.css";

const LEAST = 0.7;
const HEIGHT = 460;

/** Show each plan's graph. */
export function Graphs({ planners }: { readonly planners: readonly Planner[] }) {
  const { ref, width } = useElementSize();
  const plans = planners.flatMap(({ letter, name, newest }) =>
    newest === null ? [] : [{ letter, name, tasks: newest.plan.tasks }],
  );
  const pane = Math.max(320, width / Math.max(1, plans.length) - 16);
  const zoom = Math.max(
    LEAST,
    Math.min(
      1,
      ...plans.map(({ tasks }) => {
        const layout = layoutOf(tasks);
        return Math.min((0.92 * pane) / layout.width, (0.92 * HEIGHT) / layout.height);
      }),
    ),
  );
  return (
    <div ref={ref} className={classes.graphs}>
      {width > 0 &&
        plans.map(({ letter, name, tasks }) => (
          <section key={letter} aria-label={`Plan ${letter}`}>
            <h3>
              {letter} {name} <span className="dim">{tasks.length} tasks</span>
            </h3>
            <div className={classes.graph}>
              <PlanGraph label={`Graph of plan ${letter}`} tasks={tasks} zoom={zoom} />
            </div>
          </section>
        ))}
    </div>
  );
}
