/** The right side of a thread that plans: its plans, one of them whole, and the bar that decides. */

import { useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { pressDecision } from "@/keyboard/decision_keys";
import { useKeys } from "@/keyboard/registry";
import { ApproveBar } from "@/plans/ApproveBar";
import { ChangedNotice } from "@/plans/ChangedNotice";
import { othersWords } from "@/plans/comparison";
import type { ProposedPlan, ThreadView } from "@/plans/models";
import { PlanEditor } from "@/plans/PlanEditor";
import { PlanMenu } from "@/plans/PlanMenu";
import { PlannerActivity } from "@/plans/PlannerActivity";
import { PlannerTabs } from "@/plans/PlannerTabs";
import { PlanSheet } from "@/plans/PlanSheet";
import classes from "@/plans/panel.module.css";
import { type Planner, plannersOf } from "@/plans/planners";
import { Empty } from "@/ui/Empty";

interface Props {
  readonly thread: ThreadView;
  /** The position of the past that is shown; null is now. */
  readonly at: number | null;
}

/** Show the plans of a thread: one planner at a time, the newest plan of each first. */
export function PlanPanel({ thread, at }: Props) {
  const planners = plannersOf(thread);
  const [params, setParams] = useSearchParams();
  const chosen = params.get("plan");
  const setChosen = (letter: string | null) =>
    setParams(
      (before) => {
        before.set("plan", letter ?? "");
        return before;
      },
      { replace: true },
    );
  const shown = planners.find(({ letter }) => letter === chosen) ?? planners[0];
  const failure = thread.planning_failure;
  if (shown === undefined) {
    return (
      <Empty
        title={failure === "" ? "No plan yet" : "Planning failed"}
        text={
          failure === "" ? "Request one in the chat: /plan GOAL, or “plan this first”." : failure
        }
      />
    );
  }
  return (
    <div className={classes.panel}>
      <PlannerTabs
        planners={planners}
        shown={shown.letter}
        onShow={setChosen}
        threadId={thread.thread_id}
        menu={at === null ? <PlanMenu thread={thread} planner={shown} planners={planners} /> : null}
      />
      <PlannerPlans
        key={`${thread.thread_id} ${shown.letter}`}
        thread={thread}
        planner={shown}
        at={at}
        others={planners.filter(({ letter }) => letter !== shown.letter)}
      />
    </div>
  );
}

interface PlansProps extends Props {
  readonly planner: Planner;
  readonly others: readonly Planner[];
}

/**
 * The plans of one planner.
 *
 * A revision that comes while somebody reads does not take the place of what they read.
 */
function PlannerPlans({ thread, planner, at, others }: PlansProps) {
  const [pinned, setPinned] = useState(planner.newest?.revision ?? null);
  const [isEditing, setEditing] = useState(false);
  const [compared, setCompared] = useState<number | null>(null);
  const plan =
    planner.revisions.find(({ revision }) => revision === pinned) ?? planner.newest ?? null;
  const show = (revision: number, before: number | null = null) => {
    setPinned(revision);
    setCompared(before);
    setEditing(false);
  };
  if (plan === null) {
    return <PlannerActivity thread={thread} planner={planner} />;
  }
  if (pinned === null) {
    setPinned(plan.revision);
  }
  const isNewest = plan.revision === planner.newest?.revision;
  const canDecide = at === null && isNewest && planner.isWaiting;
  if (isEditing && canDecide) {
    return (
      <PlanEditor
        threadId={thread.thread_id}
        proposed={plan}
        onDone={(revision) => show(revision, plan.revision)}
        onClose={() => setEditing(false)}
      />
    );
  }
  return (
    <>
      {planner.session.is_working && <PlannerActivity thread={thread} planner={planner} isBrief />}
      {!isNewest && planner.newest && (
        <ChangedNotice
          threadId={thread.thread_id}
          before={plan.revision}
          after={planner.newest.revision}
          onReview={() => show(planner.newest?.revision ?? plan.revision, plan.revision)}
        />
      )}
      <PlanSheet
        key={`${plan.revision}-${compared}`}
        thread={thread}
        plan={plan}
        revisions={planner.revisions.map(({ revision }) => revision)}
        compared={compared}
        onShow={show}
        canEdit={canDecide}
      />
      {canDecide && (
        <Decide
          thread={thread}
          plan={plan}
          letter={others.length > 0 ? planner.letter : ""}
          note={othersWords(
            others.map(({ letter, session }) => ({ letter, isWorking: session.is_working })),
          )}
          onEdit={() => setEditing(true)}
        />
      )}
    </>
  );
}

interface DecideProps {
  readonly thread: ThreadView;
  readonly plan: ProposedPlan;
  readonly letter: string;
  readonly note: string;
  readonly onEdit: () => void;
}

/** The bar below a plan: its keys decide from anywhere in the thread, words that are typed decide nothing. */
function Decide({ thread, plan, letter, note, onEdit }: DecideProps) {
  const place = useRef<HTMLDivElement>(null);
  useKeys("Plan", [
    { keys: "a", label: "Approve the plan", run: () => pressDecision(place.current, "approve") },
    {
      keys: "r",
      label: "Reject the plan with feedback",
      run: () => pressDecision(place.current, "reject"),
    },
  ]);
  return (
    <div ref={place} className={classes.pinned}>
      <ApproveBar
        threadId={thread.thread_id}
        request={plan.request}
        plan={plan}
        agent={thread.agent}
        options={thread.running.autonomy_options[plan.request.request_id]}
        letter={letter}
        note={note}
        onEdit={onEdit}
      />
    </div>
  );
}
