/** The work of a plan without tasks, beside the conversation in which it is carried out. */

import type { Schemas } from "@/api/client";
import { taskStatusOf } from "@/execution/task_status";
import { Summary } from "@/screens/thread/Summary";
import classes from "@/screens/thread/thread.module.css";
import { useAddress } from "@/tasks/address";
import { TaskPanel } from "@/tasks/TaskPanel";
import { useStory } from "@/tasks/useStory";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly work: Schemas["TaskView"];
  /** The position of the past that is shown; null is now. */
  readonly at: number | null;
}

/** Show its status, its verification, its files and the rest. */
export function Work({ thread, work, at }: Props) {
  const { tab, change } = useAddress();
  const story = useStory(thread.thread_id, work.task_id, at);
  const { status, why } = taskStatusOf(work);
  return (
    <section className={classes.work} aria-label="Work">
      <Summary thread={thread} isLive={at === null} />
      {thread.plan_status !== "completed" && (
        <p className={classes.workHead}>
          <Status status={status} /> <Safe text={why} />
        </p>
      )}
      <TaskPanel
        thread={thread}
        task={work}
        story={story}
        isLive={at === null}
        tab={tab}
        onTab={(chosen) => change({ tab: chosen })}
      />
    </section>
  );
}
