/** The tabs beside a task's conversation: everything about it but the conversation. */

import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import type { Schemas } from "@/api/client";
import { TABS, type Tab } from "@/tasks/address";
import { Details } from "@/tasks/Details";
import { Files } from "@/tasks/Files";
import { hasStopped } from "@/tasks/failure";
import { Learnings } from "@/tasks/Learnings";
import { PlanTab } from "@/tasks/PlanTab";
import { Ports } from "@/tasks/Ports";
import { Recovery } from "@/tasks/Recovery";
import { Services } from "@/tasks/Services";
import type { TaskStory } from "@/tasks/story";
import { Terminals } from "@/tasks/Terminals";
import classes from "@/tasks/task.module.css";
import { Verification } from "@/tasks/Verification";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly task: Schemas["TaskView"];
  readonly story: TaskStory;
  readonly isLive: boolean;
  readonly tab: Tab | null;
  readonly onTab: (tab: Tab) => void;
  /** The conversation, where it has no room beside the tabs. */
  readonly conversation?: ReactNode;
  /** What that is called. */
  readonly conversationName?: string;
}

/** The tab that says most about a task as it stands. */
export function tabFor(task: Schemas["TaskView"]): Tab {
  if (task.request?.subject === "task_plan" || task.status === "planning") {
    return "plan";
  }
  if (hasStopped(task)) {
    return "recovery";
  }
  return task.attempts.length > 0 ? "verification" : "details";
}

function nameOf(tab: Tab, task: Schemas["TaskView"], ports: number): string {
  const counts: Partial<Record<Tab, number>> = {
    files: task.snapshot ? task.snapshot.file_count || task.snapshot.files.length : 0,
    terminals: task.terminals.length,
    ports,
    learnings: task.learnings.length + task.learned.length,
  };
  const count = counts[tab] ?? 0;
  return `${tab.charAt(0).toUpperCase()}${tab.slice(1)}${count > 0 ? ` ${count}` : ""}`;
}

/** Show the tabs of a task. */
export function TaskPanel(props: Props) {
  const { thread, task, story, isLive, tab, onTab, conversation } = props;
  const { conversationName = "Conversation" } = props;
  const threadId = thread.thread_id;
  const declared = story.planned?.ports ?? [];
  const files = task.snapshot?.files ?? [];
  const contents: Readonly<Record<Tab, () => ReactNode>> = {
    conversation: () => conversation,
    details: () => <Details thread={thread} task={task} story={story} />,
    verification: () => (
      <Verification
        attempts={task.attempts}
        totalAttempts={task.total_attempts}
        story={story}
        threadId={threadId}
      />
    ),
    plan: () => <PlanTab threadId={threadId} task={task} isLive={isLive} />,
    files: () => (
      <Files
        threadId={threadId}
        task={task}
        files={files}
        overlaps={thread.overlaps}
        self={task.task_id}
      />
    ),
    terminals: () => (
      <>
        <Services threadId={threadId} taskId={task.task_id} />
        <Terminals threadId={threadId} taskId={task.task_id} />
      </>
    ),
    ports: () => <Ports ports={task.allocated} declared={declared} />,
    learnings: () => <Learnings threadId={threadId} got={task.learnings} made={task.learned} />,
    recovery: () => <Recovery thread={thread} task={task} story={story} isLive={isLive} />,
  };
  const shown = tab === null || (tab === "conversation" && !conversation) ? tabFor(task) : tab;
  const ports = Math.max(declared.length, task.allocated.length);
  const isPlanned = task.plan !== null || task.plan_approval !== null || task.status === "planning";
  const isUseless: Partial<Record<Tab, boolean>> = {
    conversation: !conversation,
    plan: !isPlanned,
    ports: ports === 0,
  };
  const labelOf = (name: Tab) =>
    name === "conversation" ? conversationName : nameOf(name, task, ports);
  const tabs = TABS.filter((name) => name === shown || !isUseless[name]);
  return (
    <Tabs
      className={classes.panel ?? ""}
      value={shown}
      onChange={(name) => onTab(TABS.find((one) => one === name) ?? "details")}
      keepMounted={false}
    >
      <Tabs.List aria-label="Task details" className={classes.panelTabs ?? ""}>
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name} className={classes.panelTab ?? ""}>
            {labelOf(name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((name) => (
        <Tabs.Panel key={name} value={name} className={classes.panelBody ?? ""} data-tab={name}>
          <h2 className="visually-hidden">{labelOf(name)}</h2>
          {name === shown && contents[name]()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
