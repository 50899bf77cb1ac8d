/** A planner that has not proposed yet, or revises: how long, and what it did last. */

import { activityFold } from "@/api/events/activity";
import { useLog } from "@/api/events/useLog";
import type { ThreadView } from "@/plans/models";
import classes from "@/plans/panel.module.css";
import type { Planner } from "@/plans/planners";
import { Elapsed } from "@/ui/Ago";
import { Status } from "@/ui/Status";

interface Props {
  readonly thread: ThreadView;
  readonly planner: Planner;
  readonly isBrief?: boolean;
}

/** Say what a planner does. */
export function PlannerActivity({ thread, planner, isBrief = false }: Props) {
  const { session, letter, name } = planner;
  const { state } = useLog(thread.thread_id, session.session_id, activityFold);
  return (
    <div className={classes.work} data-brief={isBrief}>
      <span>
        <Status
          status={session.is_working ? "planning" : "idle"}
          word={`${letter} ${name} ${wordFor(planner)}`}
        />{" "}
        {session.is_working && state.turnBeganAt && <Elapsed from={state.turnBeganAt} to={null} />}
      </span>
      {state.text !== "" && <span className="dim ellipsis mono">{state.text}</span>}
      {!isBrief && (
        <span className="dim">
          {session.tool_calls} tool calls · planning does not change any files; the plan will appear
          here.
        </span>
      )}
      {!isBrief && !session.is_working && thread.planning_failure !== "" && (
        <span>{thread.planning_failure}</span>
      )}
    </div>
  );
}

function wordFor({ session, newest }: Planner): string {
  if (!session.is_working) {
    return "proposed no plan";
  }
  return newest === null ? "planning" : "revising";
}
