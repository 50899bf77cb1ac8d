/** The talk of one session of a task, with what is told of the task in between. */

import type { Schemas } from "@/api/client";
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
  return (
    <div className={classes.talk}>
      <Transcript
        top={thread.thread_id}
        stream={session}
        beside={`${thread.thread_id}/${task.task_id}`}
        at={at}
      />
    </div>
  );
}
