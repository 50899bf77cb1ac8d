/** The head of a task: what it is, its status, what can be done to it. */

import { Button, Popover } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { commandTask } from "@/api/thread_commands";
import { hasStopped } from "@/tasks/failure";
import { RetryButton } from "@/tasks/Retry";
import type { TaskStory } from "@/tasks/story";
import classes from "@/tasks/task.module.css";
import { type AgentChoice, AgentPicker } from "@/ui/AgentPicker";
import { Elapsed } from "@/ui/Ago";
import { CommandButton } from "@/ui/CommandButton";
import { Confirm } from "@/ui/Confirm";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
import { costOf } from "@/ui/money";
import { OpenInButton } from "@/ui/OpenIn";
import { OpenInTemporalButton } from "@/ui/OpenInTemporal";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly task: Schemas["TaskView"];
  readonly story: TaskStory;
  readonly isLive: boolean;
}

/** Show the title line of a task with its actions. */
export function TaskHeader({ thread, task, story, isLive }: Props) {
  const tries = task.attempts.at(-1)?.attempt ?? 0;
  const most = story.maxAttempts;
  return (
    <header className={classes.head} data-verbs="Task">
      <div className={classes.headLine}>
        <Link href={`/threads/${thread.thread_id}`} className={classes.back}>
          ‹ <Safe text={thread.topic || thread.goal} />
        </Link>
      </div>
      <div className={classes.headLine}>
        <h1 className={classes.headTitle}>
          <span className="mono dim">{task.task_id}</span> <Safe text={task.title} />
        </h1>
        <Status status={statusOf(thread, task, story)} />
        {tries > 0 && (
          <span className="dim">
            attempt {tries}
            {most === null ? "" : `/${Math.max(most, tries)}`}
          </span>
        )}
        {task.run > 1 && <span className="dim">run {task.run}</span>}
        {task.started_at && (
          <span className="dim mono">
            <Elapsed from={task.started_at} to={task.ended_at ?? null} />
          </span>
        )}
        {costOf(task.money) !== "" && <span className="dim mono">{costOf(task.money)}</span>}
        <span className={classes.grow} />
        {isLive && task.started_at && (
          <OpenInButton isBusy={task.sessions.some((session) => session.is_working)} />
        )}
        {isLive && task.started_at && (
          <OpenInTemporalButton workflow={`${thread.thread_id}/${task.task_id}`} />
        )}
        {isLive && <Actions thread={thread} task={task} story={story} />}
      </div>
      <div className={`${classes.headLine} dim`}>
        {story.agent !== "" && (
          <span className={classes.wide}>
            {story.agent}
            {story.model && ` · ${story.model}`}
          </span>
        )}
        {task.branch && <code className={classes.wide}>{task.branch}</code>}
        <span className={classes.doing}>
          <Safe text={task.doing} />
        </span>
      </div>
    </header>
  );
}

/** The status as people see it, a little nearer than the plan's own: verifying, needs you. */
function statusOf(
  thread: Schemas["ThreadView"],
  task: Schemas["TaskView"],
  story: TaskStory,
): string {
  const isInConflict = thread.conflicts.some((one) => one.conflict.task_id === task.task_id);
  const isAsking = task.waiting_for !== "" || task.request || task.questions.length > 0;
  if (isInConflict || isAsking || task.activity === "waiting_for_person") {
    return "waiting";
  }
  return story.running !== null && task.status === "running" ? "verifying" : task.status;
}

function Actions({ thread, task, story }: Omit<Props, "isLive">) {
  const ids = [thread.thread_id, task.task_id] as const;
  const plain = useCommand((id: string, what: "abort" | "stop" | "skip-wait") =>
    commandTask(id, ...ids, what),
  );
  const isAtWork = task.status === "running" || task.status === "planning";
  const isContest = thread.contests.some(({ task_id }) => task_id === task.task_id);
  const isSending = plain.state === "sending";
  return (
    <div className={classes.actions}>
      <ForRole needs="author">
        {task.sessions.some((session) => session.is_working) && (
          <Button variant="default" loading={isSending} onClick={() => void plain.send("stop")}>
            Stop turn
          </Button>
        )}
        {(story.delay !== null || task.is_review_held) && (
          <Button
            variant="default"
            loading={isSending}
            onClick={() => void plain.send("skip-wait")}
          >
            {task.is_review_held ? "Verify again" : "Retry now"}
          </Button>
        )}
        {isAtWork && !isContest && <SwitchAgent threadId={ids[0]} taskId={ids[1]} story={story} />}
        {hasStopped(task) && <RetryButton threadId={ids[0]} task={task} />}
        {isAtWork && (
          <Confirm
            label="Abort…"
            question="Abort this task? Its work is saved at a checkpoint."
            verb="Abort"
            isSending={isSending}
            onConfirm={() => void plain.send("abort")}
          />
        )}
      </ForRole>
      <Failure problem={plain.problem} />
    </div>
  );
}

interface SwitchProps {
  readonly threadId: string;
  readonly taskId: string;
  readonly story: TaskStory;
}

function SwitchAgent({ threadId, taskId, story }: SwitchProps) {
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState<AgentChoice | null>(null);
  const shown = choice ?? { agent: story.agent, model: story.model ?? "", options: {} };
  const change = useCommand((id: string, chosen: AgentChoice) =>
    post(
      "/v1/threads/{thread}/tasks/{task}/switch-agent",
      { thread: threadId, task: taskId },
      { command_id: id, agent: chosen.agent, model: chosen.model.trim() || null, options: {} },
    ),
  );
  const send = async () => {
    if ((await change.send(shown)) !== null) {
      setOpen(false);
      setChoice(null);
      change.reset();
    }
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      trapFocus
      withinPortal={false}
      position="bottom-end"
    >
      <Popover.Target>
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Switch agent…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <AgentPicker value={shown} onChange={setChoice} />
        <p className="dim">It starts with a fresh context and a summary of what happened so far.</p>
        <Failure problem={change.problem} />
        <CommandButton command={change} disabled={shown.agent === ""} onClick={() => void send()}>
          Switch
        </CommandButton>
      </Popover.Dropdown>
    </Popover>
  );
}
