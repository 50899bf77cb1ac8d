/** The card that answers an entry of the inbox, by its kind. */

import { Button } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useMe, useRefresh, useTask, useThread } from "@/api/queries";
import { problemOf } from "@/api/resources";
import { useSteadyError } from "@/api/steady_error";
import { QuestionCard } from "@/conversation/transcript/QuestionCard";
import { AmendmentCard } from "@/plans/AmendmentCard";
import { ApproveBar } from "@/plans/ApproveBar";
import { DecisionCard } from "@/plans/DecisionCard";
import { PlanAgain } from "@/plans/PlanAgain";
import { letterOfPlan } from "@/plans/planners";
import { NO_STEPS } from "@/plans/wordings";
import { Decisions } from "@/screens/hosts/Decisions";
import { mayDecide } from "@/screens/hosts/standing";
import classes from "@/screens/inbox/inbox.module.css";
import { PullRequestItem } from "@/screens/inbox/PullRequestItem";
import { Reply } from "@/screens/inbox/Reply";
import { UnwantedIssue } from "@/screens/inbox/UnwantedIssue";
import { seeMentions } from "@/screens/thread/mentions";
import { EscalationCard } from "@/tasks/EscalationCard";
import { GateBar } from "@/tasks/review/GateBar";
import { SetUpCard } from "@/tasks/SetUpCard";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
import { isAsking } from "@/ui/inbox_items";
import { Safe } from "@/ui/Safe";

// what few inboxes hold is loaded once one does
const ConflictCard = lazy(() => import("@/tasks/review/ConflictCard"));
const Contest = lazy(() => import("@/tasks/contest/Contest"));
const HumanStep = lazy(() => import("@/screens/flow_run/HumanStep"));
const LimitCard = lazy(() => import("@/screens/inbox/LimitCard"));

type InboxItem = Schemas["InboxItem"];

/** Show what answers an item. */
export function Answer({ item }: { readonly item: InboxItem }) {
  return (
    <Suspense fallback={<p className="dim">Loading…</p>}>
      <Card item={item} />
    </Suspense>
  );
}

function Card({ item }: { readonly item: InboxItem }) {
  const thread = item.thread_id ?? "";
  const task = item.task_id ?? "";
  switch (item.kind) {
    case "plan":
      return <Plans thread={thread} requests={item.requests} />;
    case "suggestion":
      return item.request ? <ApproveBar threadId={thread} request={item.request} /> : null;
    case "task_plan":
      return item.request ? <TaskPlan thread={thread} task={task} request={item.request} /> : null;
    case "amendment":
      return item.amendment ? <Amendment thread={thread} amendment={item.amendment} /> : null;
    case "gate":
      return <Gate thread={thread} task={task} />;
    case "best_of":
      return <Candidates thread={thread} task={task} />;
    case "decision":
      return item.decision ? <DecisionCard threadId={thread} decision={item.decision} /> : null;
    case "question":
      return item.question ? (
        <QuestionCard
          threadId={item.thread_id ?? undefined}
          runId={item.run_id ?? undefined}
          question={item.question}
        />
      ) : null;
    case "conflict":
      return item.conflict ? <ConflictCard threadId={thread} found={item.conflict} /> : null;
    case "flow_question":
      return item.flow_request ? (
        <ForRole needs="author" isTold>
          <HumanStep run={item.run_id ?? ""} asked={item.flow_request} />
        </ForRole>
      ) : null;
    case "concern":
    case "limit_near":
      return null;
    case "limit":
      return item.limit ? (
        <LimitCard key={item.limit.content_hash} asked={item.limit} project={item.project} />
      ) : null;
    case "pull_request":
      return item.pull_request ? (
        <PullRequestItem thread={thread} item={item.pull_request} isStacked={item.is_stacked} />
      ) : null;
    case "mention":
      return <Dismiss key={item.since} thread={thread} />;
    case "issue":
      return <UnwantedIssue key={item.since} thread={thread} tracker={item.workflow_id} />;
    case "host_silent":
      return <SilentHost host={item.host ?? ""} />;
    case "set_up":
      return <SetUp key={item.since} thread={thread} />;
    case "review_held":
      return <Reply key={item.since} thread={thread} task={task} />;
    case "escalation":
      if (task === "") {
        return thread === "" ? null : (
          <PlanAgain key={item.since} threadId={thread} since={item.since} />
        );
      }
      return isAsking(item) ? (
        <Reply key={item.since} thread={thread} task={task} />
      ) : (
        <EscalationCard key={item.since} threadId={thread} taskId={task} />
      );
  }
}

/** A mention asks nothing: it goes once its thread is opened, or here. */
function Dismiss({ thread }: { readonly thread: string }) {
  const refresh = useRefresh(["inbox"]);
  const command = useCommand((id: string) => seeMentions(id, thread));
  return (
    <div>
      <Button
        variant="default"
        loading={command.state === "sending"}
        onClick={() => void command.send().then(refresh)}
      >
        Dismiss
      </Button>
      <Failure problem={command.problem} />
    </div>
  );
}

/** Only an admin of the server gives a host up; others see it, and can tell one. */
function SilentHost({ host }: { readonly host: string }) {
  const me = useMe().data;
  if (me === undefined) {
    return null;
  }
  return mayDecide(me) ? (
    <div>
      <Decisions host={host} name={host} decisions={["lost"]} />
    </div>
  ) : (
    <p className="dim">Only an admin of the server can give it up.</p>
  );
}

function SetUp({ thread }: { readonly thread: string }) {
  const view = useThread(thread).data;
  return view === undefined ? <p className="dim">Loading…</p> : <SetUpCard thread={view} />;
}

interface PlansProps {
  readonly thread: string;
  readonly requests: readonly Schemas["ApprovalRequest"][];
}

/** Each plan that waits, with its summary and its bar. */
function Plans({ thread, requests }: PlansProps) {
  const view = useThread(thread).data;
  return (
    <div className={classes.plans}>
      {requests.map((request) => {
        const plan = view?.plans.find((each) => each.request.request_id === request.request_id);
        const isSame = plan?.request.content_hash === request.content_hash;
        return (
          <section key={request.request_id} aria-label={request.title} className={classes.plan}>
            {requests.length > 1 && <h3>{nameOf(view, plan)}</h3>}
            {plan && isSame && <Summary plan={plan.plan} />}
            <ApproveBar threadId={thread} request={request} agent={view?.agent} />
          </section>
        );
      })}
    </div>
  );
}

/** Say whose plan one of several is. */
function nameOf(
  view: Schemas["ThreadView"] | undefined,
  plan: Schemas["ProposedPlan"] | undefined,
): string {
  if (view === undefined || plan === undefined) {
    return "";
  }
  const session = view.sessions.find((each) => each.session_id === plan.session_id);
  return [letterOfPlan(view, plan), session?.agent, session?.model].filter(Boolean).join(" · ");
}

function Summary({ plan }: { readonly plan: Schemas["Plan"] }) {
  const label = plan.summary || plan.approach || plan.goal;
  return (
    <>
      <p className={classes.paragraph}>
        <Safe text={label} />
      </p>
      {plan.tasks.length > 0 && (
        <ol className={classes.tasks}>
          {plan.tasks.slice(0, 12).map((task) => (
            <li key={task.id}>
              <span className="mono dim">{task.id}</span> <Safe text={task.title} />
              {task.verification.length === 0 && <span className="dim"> · {NO_STEPS}</span>}
            </li>
          ))}
          {plan.tasks.length > 12 && <li className="dim">and {plan.tasks.length - 12} more</li>}
        </ol>
      )}
      {plan.key_risk !== "" && (
        <p className={classes.paragraph}>
          <b>Key risk:</b> <Safe text={plan.key_risk} />
        </p>
      )}
    </>
  );
}

interface TaskPlanProps {
  readonly thread: string;
  readonly task: string;
  readonly request: Schemas["ApprovalRequest"];
}

function TaskPlan({ thread, task, request }: TaskPlanProps) {
  const query = useTask(thread, task);
  const error = useSteadyError(query);
  if (error) {
    return <Failure problem={problemOf(error)} onRetry={() => void query.refetch()} />;
  }
  const plan = query.data?.plan ?? undefined;
  if (query.data === undefined || query.data.request?.content_hash !== request.content_hash) {
    return <p className="dim">Loading the plan…</p>;
  }
  return (
    <>
      {plan && (
        <>
          {plan.summary !== "" && (
            <p className={classes.paragraph}>
              <Safe text={plan.summary} />
            </p>
          )}
          <ol className={classes.tasks}>
            {plan.steps.map((step) => (
              <li key={step}>
                <Safe text={step} />
              </li>
            ))}
          </ol>
        </>
      )}
      <ApproveBar threadId={thread} request={request} taskId={task} taskPlan={plan} />
    </>
  );
}

interface AmendmentProps {
  readonly thread: string;
  readonly amendment: Schemas["AmendmentView"];
}

function Amendment({ thread, amendment }: AmendmentProps) {
  const tasks = useThread(thread).data?.tasks;
  return <AmendmentCard threadId={thread} amendment={amendment} tasks={tasks} />;
}

function Candidates({ thread, task }: { readonly thread: string; readonly task: string }) {
  const query = useThread(thread);
  const contest = query.data?.contests.find(({ task_id }) => task_id === task);
  if (query.data === undefined) {
    return <p className="dim">Loading the candidates…</p>;
  }
  return contest === undefined ? null : <Contest threadId={thread} contest={contest} />;
}

function Gate({ thread, task }: { readonly thread: string; readonly task: string }) {
  const query = useTask(thread, task);
  const error = useSteadyError(query);
  if (error) {
    return <Failure problem={problemOf(error)} onRetry={() => void query.refetch()} />;
  }
  if (query.data === undefined) {
    return <p className="dim">Loading the evidence…</p>;
  }
  return (
    <>
      {query.data.report !== "" && (
        <p className={classes.paragraph}>
          <b>The agent says:</b> <Safe text={query.data.report} />
        </p>
      )}
      <GateBar threadId={thread} task={query.data} />
    </>
  );
}
