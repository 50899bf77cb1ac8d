/** The head of a thread: what it is, its status, what can be done to all of it. */

import { Button } from "@mantine/core";
import { GitBranch } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { familyOf, shownStatus, waitingIn } from "@/api/lines";
import { useInbox } from "@/api/queries";
import { commandThread, type ThreadCommand } from "@/api/thread_commands";
import { tallyOf } from "@/execution/task_status";
import { formatMoment } from "@/format";
import { BudgetBar } from "@/screens/thread/BudgetBar";
import { Menu } from "@/screens/thread/Menu";
import { StopDialog } from "@/screens/thread/StopDialog";
import { Title } from "@/screens/thread/Title";
import classes from "@/screens/thread/thread.module.css";
import { Viewers } from "@/screens/thread/Viewers";
import { worksOf } from "@/tasks/works";
import { Elapsed } from "@/ui/Ago";
import { Bar } from "@/ui/Bar";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
import { IssueLink } from "@/ui/IssueLink";
import { costOf } from "@/ui/money";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

type ThreadView = Schemas["ThreadView"];

interface Props {
  readonly thread: ThreadView;
  readonly isLive: boolean;
  /** The session that is shown, for what is done to one. */
  readonly session: string | null;
}

/** Show the title line of a thread with its actions. */
export function Header({ thread, isLive, session }: Props) {
  const { progress } = thread;
  const repository = nameOf(thread.repository);
  const beside = thread.beside ?? [];
  const items = useInbox().data?.items ?? [];
  const waiting = isLive ? waitingIn(items, familyOf(thread)) : tallyOf(thread).needsYou;
  const isWorking = thread.sessions.some(({ is_working }) => is_working);
  return (
    <header className={classes.header} data-verbs="Thread">
      <div className={classes.headLine}>
        <Title
          key={thread.thread_id}
          threadId={thread.thread_id}
          topic={thread.topic || thread.goal}
          isLive={isLive}
        />
        <Status status={shownStatus({ status: thread.shown_status, isWorking })} />
        {progress.total > 0 && !isPlannedAgain(thread) && (
          <span className={classes.wide}>
            <Bar done={progress.done} total={progress.total} />
          </span>
        )}
        <span className={classes.counts}>{thread.running.paused}</span>
        <span className={classes.grow} />
        {isLive && <Viewers thread={thread.thread_id} />}
        {isLive && <Actions thread={thread} session={session} />}
      </div>
      <div className={`${classes.headLine} ${classes.facts}`}>
        <span title={[thread.repository, ...beside].join("\n")}>
          {[repository, ...beside.map(nameOf)].join(" + ")}
        </span>
        <span className={`${classes.branch} ${classes.wide}`} title={thread.branch}>
          <GitBranch size={13} aria-hidden />
          <code>{thread.branch}</code>
        </span>
        <span className={classes.wide}>{thread.agent}</span>
        {thread.opened_at && (
          <span className={classes.wide} title={`Opened ${formatMoment(thread.opened_at)}`}>
            {endOf(thread) === null ? "open " : "took "}
            <Elapsed from={thread.opened_at} to={endOf(thread)} />
          </span>
        )}
        {costOf(thread.money) !== "" && (
          <span title="Cost of its turns so far: as reported by agents, else by list price">
            {costOf(thread.money)}
          </span>
        )}
        {isLive && <BudgetBar thread={thread} />}
        {thread.is_archived && <span>archived</span>}
        {/ via /.test(thread.opened_by) && (
          <span className="ellipsis">
            opened by <Safe text={thread.opened_by} />
          </span>
        )}
        {thread.issue && <IssueLink issue={thread.issue} />}
        {thread.parent && (
          <Link href={`/threads/${thread.parent.thread_id}`}>part of another thread</Link>
        )}
        {thread.forked_from && (
          <Link href={`/threads/${thread.forked_from.thread_id}?at=${thread.forked_from.position}`}>
            forked from another thread
          </Link>
        )}
        {waiting > 1 ? (
          <span className={classes.waits}>{waiting} need you</span>
        ) : (
          thread.waiting_for !== "" && (
            <span className="ellipsis">
              waiting for <Safe text={waitOf(thread)} />
            </span>
          )
        )}
      </div>
    </header>
  );
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? path;
}

/** What it waits for, without the reason that a card and the conversation tell. */
function waitOf({ waiting_for: wait = "", planning_failure: failure = "" }: ThreadView): string {
  return failure !== "" && wait.endsWith(failure)
    ? wait.slice(0, -failure.length).replace(/: $/, "")
    : wait;
}

/** Whether the bar is that of a plan that another is to follow: it says nothing of that. */
function isPlannedAgain({ requests, status, planning_failure }: ThreadView): boolean {
  const isAsked = requests.some(({ request }) => request.subject === "plan");
  return isAsked || status === "planning" || (planning_failure ?? "") !== "";
}

function endOf(thread: ThreadView): string | null {
  const isOver = thread.plan_status === "completed" || thread.plan_status === "cancelled";
  return isOver ? (thread.changed_at ?? null) : null;
}

function Actions({
  thread,
  session,
}: {
  readonly thread: ThreadView;
  readonly session: string | null;
}) {
  const command = useCommand((id: string, what: ThreadCommand) =>
    commandThread(id, thread.thread_id, what),
  );
  const [isStopping, setStopping] = useState(false);
  const isSending = command.state === "sending";
  const { plan_status: plan } = thread;
  const isPlanning = plan !== "active" && plan !== "paused" && thread.status === "planning";
  const live = worksOf(thread).filter(
    ({ status }) => status === "running" || status === "planning",
  );
  const atGate = live.filter(({ request }) => request?.subject === "gate");
  const running = live.filter((task) => !atGate.includes(task));
  return (
    <div className={classes.actions}>
      <ForRole needs="author">
        {plan === "active" && (
          <Button
            variant="default"
            loading={isSending}
            title="Starts no new tasks; running tasks finish"
            onClick={() => void command.send("pause")}
          >
            Pause
          </Button>
        )}
        {plan === "paused" && (
          <Button loading={isSending} onClick={() => void command.send("resume")}>
            Resume
          </Button>
        )}
        {(plan === "active" || plan === "paused" || isPlanning) && (
          <Button variant="default" loading={isSending} onClick={() => setStopping(true)}>
            Stop…
          </Button>
        )}
      </ForRole>
      {isStopping && (
        <StopDialog
          running={plan === "active" ? running.length : 0}
          atGate={atGate.length}
          isPlanning={isPlanning}
          isWork={Boolean(thread.work)}
          onChoose={(what) => void command.send(what)}
          onClose={() => setStopping(false)}
        />
      )}
      <Menu thread={thread} session={session} />
      <Failure problem={command.problem} />
    </div>
  );
}
