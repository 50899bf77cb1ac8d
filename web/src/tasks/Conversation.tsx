/** The conversation of one session of a task, with what happened to the task in between. */

import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { commandTask, sendMessage } from "@/api/thread_commands";
import { Composer } from "@/conversation/composer/Composer";
import { QuestionCard } from "@/conversation/transcript/QuestionCard";
import { Transcript } from "@/conversation/transcript/Transcript";
import { hasStopped } from "@/tasks/failure";
import ConflictCard from "@/tasks/review/ConflictCard";
import classes from "@/tasks/task.module.css";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly task: Schemas["TaskView"];
  readonly session: string | null;
  readonly at: number | null;
}

/** Show what was said in a session. */
export function Conversation({ thread, task, session, at }: Props) {
  const stop = useCommand((commandId: string) =>
    commandTask(commandId, thread.thread_id, task.task_id, "stop"),
  );
  const [sent, setSent] = useState("");
  if (session === null) {
    return (
      <p className={`dim ${classes.nothing}`}>
        No agent has worked on this task yet{task.doing && ` (${task.doing})`}.
      </p>
    );
  }
  const { thread_id: threadId } = thread;
  const { task_id: taskId } = task;
  const shown = task.sessions.find((one) => one.session_id === session);
  return (
    <div className={classes.conversation}>
      <div className={classes.transcript}>
        <Transcript
          top={threadId}
          stream={session}
          beside={`${threadId}/${taskId}`}
          at={at}
          onReport={(report) => setSent(report.sent)}
        />
      </div>
      {at === null && <OpenQuestions thread={thread} task={task} />}
      <Failure problem={stop.problem} />
      {at === null && (
        <Composer
          name={`session.${session}`}
          session={session}
          sent={sent}
          placeholder={`Message to ${shown?.agent ?? "the agent"} about ${taskId}`}
          isWorking={shown?.is_working ?? false}
          stop={shown?.is_working ? stop.send : undefined}
          closed={closedBy(task, shown)}
          say={(id, text, files) =>
            sendMessage(
              id,
              { thread: threadId, task: taskId, session_id: session },
              text,
              files,
            ).then(({ message }) => message)
          }
        />
      )}
    </div>
  );
}

/** What the task asks a person for beside its gate and its plan: questions, a conflict, a word. */
function OpenQuestions({ thread, task }: Pick<Props, "thread" | "task">) {
  const conflict = thread.conflicts.find((one) => one.conflict.task_id === task.task_id);
  const isWordless = task.waiting_for !== "" && !task.request && task.questions.length === 0;
  if (!isWordless && task.questions.length === 0 && conflict === undefined) {
    return null;
  }
  return (
    <section className={classes.asking} aria-label="Questions for you">
      {task.questions.map((open) => (
        <QuestionCard key={open.question.question_id} threadId={thread.thread_id} question={open} />
      ))}
      {conflict && <ConflictCard threadId={thread.thread_id} found={conflict} title={task.title} />}
      {isWordless && (
        <p className={classes.notice}>
          <Status status="waiting" /> Waiting for <Safe text={task.waiting_for} />
        </p>
      )}
    </section>
  );
}

/** Why nothing can be said in a session; nothing where it can. */
function closedBy(
  task: Schemas["TaskView"],
  session: Schemas["SessionView"] | undefined,
): string | undefined {
  if (session === undefined) {
    return "This session belongs to an earlier run and is read-only.";
  }
  if (task.status === "completed") {
    return "The task is completed. Its conversation is read-only.";
  }
  return hasStopped(task) ? "The task has stopped. Retry it to continue." : undefined;
}
