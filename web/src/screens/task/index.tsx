/** Task: its conversation beside everything else about it, and its gate below while one waits. */

import { Loader } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Redirect, useParams, useSearch } from "wouter";
import { Problem } from "@/api/client";
import { useTask, useThread } from "@/api/queries";
import { ANY } from "@/api/roles";
import { WORK } from "@/plans/work";
import { type Tab, useAddress } from "@/tasks/address";
import { Conversation } from "@/tasks/Conversation";
import Contest from "@/tasks/contest/Contest";
import { GateBar } from "@/tasks/review/GateBar";
import { Sessions } from "@/tasks/Sessions";
import { firstOf } from "@/tasks/sessions";
import { TaskHeader } from "@/tasks/TaskHeader";
import { TaskPanel } from "@/tasks/TaskPanel";
import classes from "@/tasks/task.module.css";
import { useStory } from "@/tasks/useStory";
import { AsOf } from "@/ui/Ago";
import { ProjectContext } from "@/ui/ForRole";
import { Worktree } from "@/ui/OpenIn";
import { SplitPane } from "@/ui/SplitPane";
import { Unopened } from "@/ui/Unopened";

export default function Screen() {
  const { thread: threadId = "", task: taskId = "" } = useParams<{
    thread: string;
    task: string;
  }>();
  const { at } = useAddress();
  const search = useSearch();
  const thread = useThread(threadId, at);
  if (taskId === WORK) {
    // it is carried out in its thread, and has no page
    const query = search === "" ? "" : `&${search}`;
    return <Redirect to={`/threads/${threadId}?panel=work${query}`} replace />;
  }
  return (
    <AsOf at={at === null ? null : (thread.data?.changed_at ?? null)}>
      <ProjectContext value={thread.data?.repository ?? ANY}>
        <TaskScreen key={`${threadId}/${taskId}`} threadId={threadId} taskId={taskId} />
      </ProjectContext>
    </AsOf>
  );
}

interface Props {
  readonly threadId: string;
  readonly taskId: string;
}

function TaskScreen({ threadId, taskId }: Props) {
  const isNarrow = useMediaQuery("(max-width: 900px)", false, { getInitialValueInEffect: false });
  const address = useAddress();
  const { at } = address;
  const thread = useThread(threadId, at);
  const task = useTask(threadId, taskId, at);
  const story = useStory(threadId, taskId, at);
  const problem = task.error ?? thread.error;
  if (problem instanceof Problem && task.data === undefined) {
    const back = { to: `/threads/${threadId}`, name: "Open thread" };
    return <Unopened problem={problem} onRetry={() => void task.refetch()} back={back} />;
  }
  if (task.data === undefined || thread.data === undefined) {
    return <Loader m="xl" size="sm" aria-label="Loading the task" />;
  }
  const isLive = at === null;
  const session = address.session ?? firstOf(task.data);
  const contest = thread.data.contests.find(({ task_id }) => task_id === taskId);
  const conversation = contest ? (
    <Contest threadId={threadId} contest={contest} isLive={isLive} />
  ) : (
    <Conversation thread={thread.data} task={task.data} session={session} at={at} />
  );
  const panel = {
    thread: thread.data,
    task: task.data,
    story,
    isLive,
    // where there is no room beside the tabs, candidates are what the task is about
    tab: address.tab ?? (contest ? ("conversation" as const) : null),
    onTab: (tab: Tab) => address.change({ tab }),
  };
  return (
    <Worktree thread={threadId} of={{ task: taskId }}>
      <div className={classes.screen}>
        <TaskHeader thread={thread.data} task={task.data} story={story} isLive={isLive} />
        {!isLive && (
          <p className={classes.past} role="status">
            Showing position {at}, read only.{" "}
            <button type="button" onClick={() => address.change({ at: null })}>
              Back to now
            </button>
          </p>
        )}
        {contest === undefined && (!isNarrow || address.tab === "conversation") && (
          <Sessions
            threadId={threadId}
            task={task.data}
            chosen={session}
            onChoose={(chosen) => address.change({ session: chosen })}
            isLive={isLive}
          />
        )}
        <div className={classes.body}>
          {isNarrow ? (
            <TaskPanel
              {...panel}
              conversation={conversation}
              {...(contest ? { conversationName: "Candidates" } : {})}
            />
          ) : (
            <SplitPane
              name="task"
              share={52}
              leftLabel={contest ? "Candidates" : "Transcript"}
              rightLabel="Task details"
              left={conversation}
              right={<TaskPanel {...panel} />}
            />
          )}
        </div>
        {isLive && <GateBar threadId={threadId} task={task.data} />}
      </div>
    </Worktree>
  );
}
