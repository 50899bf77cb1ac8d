/** Plans side by side: what differs, their graphs at one zoom, and which one is taken. */

import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { Link, useParams, useSearchParams } from "wouter";
import { Problem } from "@/api/client";
import { useComparison, useThread } from "@/api/queries";
import { useSteadyError } from "@/api/steady_error";
import { ApproveBar } from "@/plans/ApproveBar";
import { othersWords, takenOf } from "@/plans/comparison";
import type { ThreadView } from "@/plans/models";
import { PlannerActivity } from "@/plans/PlannerActivity";
import { type Planner, plannersOf } from "@/plans/planners";
import { ComparisonTable } from "@/screens/compare/ComparisonTable";
import classes from "@/screens/compare/compare.module.css";
import { Graphs } from "@/screens/compare/Graphs";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";
import { Unopened } from "@/ui/Unopened";

/** The screen of `/threads/:thread/compare`. */
export default function Screen() {
  const { thread: threadId = "" } = useParams<{ thread: string }>();
  const { data: thread, error, refetch } = useThread(threadId);
  if (error instanceof Problem) {
    const back = { to: "/threads", name: "All threads" };
    return <Unopened problem={error} onRetry={() => void refetch()} back={back} />;
  }
  return thread === undefined ? null : <Plans key={threadId} thread={thread} />;
}

function Plans({ thread }: { readonly thread: ThreadView }) {
  const planners = plannersOf(thread);
  const shown = planners.filter(({ newest }) => newest !== null);
  const working = planners.filter(({ newest, session }) => newest === null && session.is_working);
  const [selected, setSelected] = useState<number | null>(null);
  const [view, setView] = useState("table");
  const home = `/threads/${thread.thread_id}`;
  const approved = planners.find(({ revisions }) =>
    revisions.some(({ revision }) => revision === thread.approved),
  );
  const comparison = useCompared(thread.thread_id, shown);
  const error = useSteadyError(comparison);
  const compared = error === null ? (comparison.data?.plans ?? []) : [];
  const newest = shown.map((planner) => planner.newest?.revision ?? 0);
  const read = view === "table" ? compared.map(({ revision }) => revision) : newest;
  const taken = takenOf(shown, selected, read);
  return (
    <Page
      title={`Compare plans · ${thread.topic || thread.goal}`}
      actions={
        <>
          <SegmentedControl
            aria-label="View"
            value={view}
            onChange={setView}
            data={[
              { value: "table", label: "Table" },
              { value: "graphs", label: "Graphs" },
            ]}
          />
          <LinkButton to={home}>Back to thread</LinkButton>
        </>
      }
    >
      {approved && (
        <p className={classes.approved} role="status">
          Plan {approved.letter} is approved; all plans stay available.{" "}
          <LinkButton to={home}>View tasks</LinkButton>
        </p>
      )}
      {working.map((planner) => (
        <PlannerActivity key={planner.letter} thread={thread} planner={planner} isBrief />
      ))}
      {shown.length < 2 ? (
        <Empty
          title={shown.length === 0 ? "No plans yet" : "Only one plan"}
          text={
            working.length > 0
              ? "Plans appear here side by side once there are two."
              : "Add another planner to compare plans."
          }
        >
          <Link href={home}>Open thread</Link>
        </Empty>
      ) : view === "table" ? (
        <Table
          thread={thread}
          planners={shown}
          comparison={comparison}
          error={error}
          selected={selected}
          onSelect={setSelected}
        />
      ) : (
        <Graphs planners={shown} />
      )}
      {taken?.newest && (
        <div className={classes.decide}>
          <div className="dim">
            {othersWords(
              planners
                .filter(({ letter }) => letter !== taken.letter)
                .map(({ letter, session }) => ({ letter, isWorking: session.is_working })),
            )}
          </div>
          <ApproveBar
            threadId={thread.thread_id}
            request={taken.newest.request}
            plan={taken.newest}
            agent={thread.agent}
            letter={taken.letter}
          />
        </div>
      )}
    </Page>
  );
}

/** Compare the revisions that the address names, or else the newest of each planner. */
function useCompared(threadId: string, planners: readonly Planner[]) {
  const [params] = useSearchParams();
  const wanted = (params.get("revisions") ?? "").split(",").map(Number).filter(Boolean);
  const newest = planners.map((planner) => planner.newest?.revision ?? 0);
  return useComparison(threadId, wanted.length > 1 ? wanted : newest, planners.length > 1);
}

interface TableProps {
  readonly thread: ThreadView;
  readonly planners: readonly Planner[];
  readonly comparison: ReturnType<typeof useComparison>;
  readonly error: Error | null;
  readonly selected: number | null;
  readonly onSelect: (revision: number) => void;
}

function Table({ thread, planners, comparison, error, selected, onSelect }: TableProps) {
  const { data, refetch } = comparison;
  if (error instanceof Problem) {
    return <Failure problem={error} onRetry={() => void refetch()} />;
  }
  return data === undefined ? null : (
    <ComparisonTable
      thread={thread}
      comparison={data}
      planners={planners}
      selected={selected}
      onSelect={onSelect}
    />
  );
}
