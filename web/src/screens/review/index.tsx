/** Review: a task's change, read and decided on. */

import { Loader } from "@mantine/core";
import { useState } from "react";
import { useParams } from "wouter";
import "react-diff-view/style/index.css";
import { Problem } from "@/api/client";
import { useTask, useThread } from "@/api/queries";
import { ReviewScreen } from "@/review/ReviewScreen";
import { Failure } from "@/ui/Failure";

export default function Screen() {
  const { thread = "", task = "" } = useParams<{ thread: string; task: string }>();
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
    return <Failure problem={error} onRetry={() => void refetch()} />;
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
