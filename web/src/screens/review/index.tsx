/** Review: a task's change, read and decided on. */

import { Loader } from "@mantine/core";
import { useState } from "react";
import { Redirect, useParams, useSearchParams } from "wouter";
import { Problem, type Schemas } from "@/api/client";
import { useTask, useThread } from "@/api/queries";
import { ANY } from "@/api/roles";
import { ReviewScreen } from "@/tasks/review/ReviewScreen";
import { ProjectContext } from "@/ui/ForRole";
import { Unopened } from "@/ui/Unopened";

export default function Screen() {
  const { thread = "", task = "" } = useParams<{ thread: string; task: string }>();
  const at = useSearchParams()[0].get("at");
  if (at !== null) {
    // a review decides, so it is of the present: a moment of the past is read at the task
    return (
      <Redirect to={`/threads/${thread}/tasks/${task}?at=${encodeURIComponent(at)}`} replace />
    );
  }
  return <Opened key={`${thread}/${task}`} threadId={thread} taskId={task} />;
}

type Task = Schemas["TaskView"];

/** Whether two views of a task are of the same work: all that the hash of its gate names. */
function isSameWork(one: Task, other: Task): boolean {
  const [a, b] = [one.snapshot, other.snapshot];
  return (
    one.run === other.run && a?.commit === b?.commit && a?.tree === b?.tree && a?.base === b?.base
  );
}

interface Props {
  readonly threadId: string;
  readonly taskId: string;
}

function Opened({ threadId, taskId }: Props) {
  const thread = useThread(threadId).data; // its events have the task fetched again
  const { data: present, error, refetch } = useTask(threadId, taskId);
  const [opened, setOpened] = useState(present);
  if (opened === undefined && present !== undefined) {
    setOpened(present);
  }
  if (error instanceof Problem && present === undefined) {
    const back = { to: `/threads/${threadId}`, name: "Open thread" };
    return <Unopened problem={error} onRetry={() => void refetch()} back={back} />;
  }
  if (opened === undefined || present === undefined) {
    return <Loader m="xl" size="sm" aria-label="Loading the review" />;
  }
  const isStale = !isSameWork(opened, present);
  return (
    <ProjectContext value={thread?.repository ?? ANY}>
      <ReviewScreen
        threadId={threadId}
        task={isStale ? opened : present}
        present={present}
        isStale={isStale}
        onAdopt={() => setOpened(present)}
      />
    </ProjectContext>
  );
}
