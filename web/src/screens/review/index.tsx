/** Review: a task's change, read and decided on. */

import { Loader } from "@mantine/core";
import { useState } from "react";
import { Redirect, useParams, useSearchParams } from "wouter";
import "react-diff-view/style/index.css";
import { Problem } from "@/api/client";
import { useTask, useThread } from "@/api/queries";
import { ReviewScreen } from "@/review/ReviewScreen";
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

interface Props {
  readonly threadId: string;
  readonly taskId: string;
}

function Opened({ threadId, taskId }: Props) {
  useThread(threadId); // its events have the task fetched again
  const { data: present, error, refetch } = useTask(threadId, taskId);
  const [opened, setOpened] = useState(present);
  if (opened === undefined && present !== undefined) {
    setOpened(present);
  }
  if (error instanceof Problem && present === undefined) {
    const back = { to: `/threads/${threadId}`, name: "Open the thread" };
    return <Unopened problem={error} onRetry={() => void refetch()} back={back} />;
  }
  if (opened === undefined || present === undefined) {
    return <Loader m="xl" size="sm" aria-label="Loading the review" />;
  }
  const isSame = opened.snapshot?.commit === present.snapshot?.commit;
  const shown = isSame ? present : opened;
  return (
    <ReviewScreen
      threadId={threadId}
      task={shown}
      present={present}
      onAdopt={() => setOpened(present)}
    />
  );
}
