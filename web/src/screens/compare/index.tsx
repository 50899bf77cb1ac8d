/** Plans side by side: what differs, their graphs at one zoom, and which one is taken. */

import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { Link, useParams, useSearchParams } from "wouter";
import { Problem } from "@/api/client";
import { useComparison, useThread } from "@/api/queries";
import { ApproveBar } from "@/plan/ApproveBar";
import { othersWords } from "@/plan/comparing";
import type { ThreadView } from "@/plan/models";
import { PlannerAtWork } from "@/plan/PlannerAtWork";
import { type Planner, plannersOf } from "@/plan/planners";
import { ComparisonTable } from "@/screens/compare/ComparisonTable";
import classes from "@/screens/compare/compare.module.css";
import { Graphs } from "@/screens/compare/Graphs";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Room";
import { Unopened } from "@/ui/Unopened";

/** The screen of `/threads/:thread/compare`. */
export default function Screen() {
  const { thread: threadId = "" } = useParams<{ thread: string }>();
  const { data: thread, error, refetch } = useThread(threadId);
  if (error instanceof Problem) {
    const back = { to: "/threads", name: "All threads" };
    return <Unopened problem={error} onRetry={() => void refetch()} back={back} />;
  }
  return thread === undefined ? null : <Plans thread={thread} />;
}

function Plans({ thread }: { readonly thread: ThreadView }) {
  const planners = plannersOf(thread);
  const shown = planners.filter(({ newest }) => newest !== null);
  const working = planners.filter(({ newest, session }) => newest === null && session.is_working);
  const [selected, setSelected] = useState<string | null>(null);
  const [view, setView] = useState("table");
  const home = `/threads/${thread.thread_id}`;
  const approved = planners.find(({ revisions }) =>
    revisions.some(({ revision }) => revision === thread.approved),
  );
  const taken = shown.find(({ letter, isWaiting }) => letter === selected && isWaiting);
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
          <LinkButton to={home}>Back to the thread</LinkButton>
        </>
      }
    >
      {approved && (
        <p className={classes.approved} role="status">
          Plan {approved.letter} is approved; all plans stay readable.{" "}
          <LinkButton to={home}>See its tasks</LinkButton>
        </p>
      )}
      {working.map((planner) => (
        <PlannerAtWork key={planner.letter} thread={thread} planner={planner} isBrief />
      ))}
      {shown.length < 2 ? (
        <Empty
          title={shown.length === 0 ? "No plans yet" : "One plan so far"}
          text={
            working.length > 0
              ? "Plans stand side by side here as soon as there are two."
              : "Ask another planner to have something to compare."
          }
        >
          <Link href={home}>Open the thread</Link>
        </Empty>
      ) : view === "table" ? (
        <Table thread={thread} planners={shown} selected={selected} onSelect={setSelected} />
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

interface TableProps {
  readonly thread: ThreadView;
  readonly planners: readonly Planner[];
  readonly selected: string | null;
  readonly onSelect: (letter: string) => void;
}

function Table({ thread, planners, selected, onSelect }: TableProps) {
  const [params] = useSearchParams();
  const wanted = (params.get("revisions") ?? "").split(",").map(Number).filter(Boolean);
  const revisions =
    wanted.length > 1 ? wanted : planners.map(({ newest }) => newest?.revision ?? 0);
  const { data, error } = useComparison(thread.thread_id, revisions);
  if (error instanceof Problem) {
    return <Failure problem={error} />;
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
