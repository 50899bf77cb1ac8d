/** What went wrong with a task, what was kept, and every way on. */

import type { Schemas } from "@/api/client";
import { formatDuration, formatMoment, plural } from "@/format";
import { failureOf, hasStopped } from "@/tasks/failure";
import { RetryForm, useTaskCheckpoints } from "@/tasks/Retry";
import type { Delay, Setback, TaskStory } from "@/tasks/story";
import classes from "@/tasks/task.module.css";
import { Ago, useNow } from "@/ui/Ago";
import { Safe } from "@/ui/Safe";
import { Section } from "@/ui/Section";
import { Status } from "@/ui/Status";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly task: Schemas["TaskView"];
  readonly story: TaskStory;
  readonly isLive: boolean;
}

/** Show the trouble of a task and how it is fixed. */
export function Recovery({ thread, task, story, isLive }: Props) {
  const notices = thread.notices.filter((notice) => notice.task_id === task.task_id);
  const stopped = hasStopped(task);
  const isCalm = !stopped && story.setbacks.length === 0 && !story.delay && notices.length === 0;
  return (
    <>
      {story.delay && <Delayed delay={story.delay} />}
      {stopped && <Stopped task={task} />}
      {isCalm && <p className="dim">No problems so far.</p>}
      {stopped && isLive && (
        <Section title="Retry">
          <RetryForm threadId={thread.thread_id} task={task} />
        </Section>
      )}
      {notices.length > 0 && (
        <Section title="Advice">
          <ul className="plain-list">
            {notices.map((notice) => (
              <li key={`${notice.concern} ${notice.reason}`} className={classes.row}>
                <strong>{notice.advice}</strong>
                <span className={classes.grow}>
                  <Safe text={notice.reason} />
                </span>
                <code className="dim">{notice.command}</code>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {story.setbacks.length > 0 && (
        <Section title="Problems">
          <Setbacks setbacks={story.setbacks} />
        </Section>
      )}
      <Checkpoints threadId={thread.thread_id} taskId={task.task_id} />
      <TakeOver task={task} />
    </>
  );
}

function Delayed({ delay }: { readonly delay: Delay }) {
  const left = Date.parse(delay.until) - useNow();
  return (
    <p className={classes.notice} role="status">
      <Status status="paused" word={`waiting for ${delay.provider}`} />{" "}
      {left > 0 ? `retries automatically in ${formatDuration(left)}` : "retrying"} (until{" "}
      {formatMoment(delay.until)}). <Safe text={delay.reason} />
      {delay.refusals > 0 && ` Refused ${plural(delay.refusals, "time")}.`} No work is lost.
    </p>
  );
}

function Stopped({ task }: { readonly task: Schemas["TaskView"] }) {
  const { failed, saved, next } = failureOf(task);
  return (
    <div className={classes.notice} data-tone="fail">
      <Status status={task.status} />
      <p>
        <Safe text={failed} />
      </p>
      <p className="dim">
        {saved} {next}
      </p>
    </div>
  );
}

function Setbacks({ setbacks }: { readonly setbacks: readonly Setback[] }) {
  return (
    <ol className="plain-list" aria-label="Problems, newest first">
      {setbacks.toReversed().map((one) => (
        <li key={`${one.position} ${one.kind}`} className={classes.row}>
          <span className="dim mono">
            <Ago at={one.at} suffix=" ago" />
          </span>
          <span className={classes.grow}>
            <Safe text={one.text.slice(0, 2000)} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Checkpoints({ threadId, taskId }: { readonly threadId: string; readonly taskId: string }) {
  const checkpoints = useTaskCheckpoints(threadId, taskId);
  if (checkpoints.length === 0) {
    return null;
  }
  return (
    <Section title="Checkpoints">
      <ul className="plain-list">
        {checkpoints.slice(0, 20).map((one) => (
          <li key={one.position} className={classes.row}>
            <code>{one.commit.slice(0, 8)}</code>
            <span className="dim">
              run {one.run} · <Ago at={one.at} suffix=" ago" />
            </span>
            <span className={classes.grow}>
              <Safe text={one.label} />
            </span>
            <a href={`/threads/${threadId}?at=${one.position}`}>View this moment</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function TakeOver({ task }: { readonly task: Schemas["TaskView"] }) {
  const commit = task.snapshot?.commit;
  if (!commit) {
    return null;
  }
  return (
    <Section title="Take over manually">
      <p>
        The work is in your repository, in commit <code>{commit.slice(0, 8)}</code>
        {task.branch && (
          <>
            {" "}
            (branch <code>{task.branch}</code> until the task is removed)
          </>
        )}
        . Review and change it in your own worktree (Treadle's worktree belongs to the agent):
      </p>
      <pre className={classes.output}>
        {`git worktree add ../${task.task_id} ${commit.slice(0, 12)}`}
      </pre>
    </Section>
  );
}
