/** The talk of one session of a task, with what is told of the task in between. */

import { newCommandId, type Schemas } from "@/api/client";
import { Composer } from "@/composer/Composer";
import { command, say } from "@/task/commands";
import { hasStopped } from "@/task/failure";
import classes from "@/task/task.module.css";
import { Transcript } from "@/transcript/Transcript";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly task: Schemas["TaskView"];
  readonly session: string | null;
  readonly at: number | null;
}

/** Show what was said in a session. */
export function Talk({ thread, task, session, at }: Props) {
  if (session === null) {
    return (
      <p className={`dim ${classes.nothing}`}>
        No agent has worked on this task yet. {task.doing && `It ${task.doing}.`}
      </p>
    );
  }
  const { thread_id: threadId } = thread;
  const { task_id: taskId } = task;
  const shown = task.sessions.find((one) => one.session_id === session);
  return (
    <div className={classes.talk}>
      <div className={classes.said}>
        <Transcript top={threadId} stream={session} beside={`${threadId}/${taskId}`} at={at} />
      </div>
      {at === null && (
        <Composer
          name={`session.${session}`}
          placeholder={`Message to ${shown?.agent ?? "the agent"} about ${taskId}`}
          isWorking={shown?.is_working ?? false}
          stop={
            shown?.is_working ? () => command(newCommandId(), threadId, taskId, "stop") : undefined
          }
          closed={closedBy(task, shown)}
          say={(id, text, files) => say(id, { threadId, taskId, session, text, files })}
        />
      )}
    </div>
  );
}

/** Why nothing can be said in a session; nothing where it can. */
function closedBy(
  task: Schemas["TaskView"],
  session: Schemas["SessionView"] | undefined,
): string | undefined {
  if (session === undefined) {
    return "This session belongs to an earlier run: it can only be read.";
  }
  if (task.status === "completed") {
    return "The task is completed: nothing more can be said in it.";
  }
  return hasStopped(task) ? "The task has stopped: retry it to go on." : undefined;
}
