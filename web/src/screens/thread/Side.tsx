/** What stands beside the conversation: plans, the running tasks, files, terminals. */

import { ActionIcon } from "@mantine/core";
import { PanelRightClose } from "lucide-react";
import type { Schemas } from "@/api/client";
import { Execution } from "@/execution/Execution";
import { PlanPanel } from "@/plans/PlanPanel";
import { WORK } from "@/plans/work";
import type { PanelName } from "@/screens/thread/address";
import { Ports } from "@/screens/thread/Ports";
import { PullRequest } from "@/screens/thread/PullRequest";
import { Summary } from "@/screens/thread/Summary";
import { nameOf, type Tab } from "@/screens/thread/sessions";
import { ThreadChanges } from "@/screens/thread/ThreadChanges";
import classes from "@/screens/thread/thread.module.css";
import { Work } from "@/screens/thread/Work";
import { Files } from "@/tasks/Files";
import { Terminals } from "@/tasks/Terminals";
import { OpenInButton, Worktree } from "@/ui/OpenIn";
import { TabList } from "@/ui/TabList";

type ThreadView = Schemas["ThreadView"];

interface Props {
  readonly thread: ThreadView;
  readonly tab: Tab | undefined;
  readonly panels: readonly PanelName[];
  readonly panel: PanelName;
  readonly at: number | null;
  readonly onChoose: (panel: PanelName | "none") => void;
  /** Where there is room for one pane only, the tabs stand above it. */
  readonly hasTabs: boolean;
}

/** Graph, table and timeline are one tab: they show the same tasks, and have a switch of their own. */
export const LABELS: Readonly<Record<PanelName, string>> = {
  plan: "Plan",
  work: "Work",
  graph: "Tasks",
  table: "Tasks",
  timeline: "Tasks",
  changes: "Changes",
  request: "Pull request",
  files: "Files",
  terminals: "Terminals",
};

/** Return the panels that a thread has something for. */
export function panelsOf(thread: ThreadView): readonly PanelName[] {
  const hasPlans = thread.plans.length > 0 || thread.status === "planning";
  const hasTasks = thread.tasks.length > 0;
  return [
    ...(hasPlans ? (["plan"] as const) : []),
    ...(thread.work ? (["work"] as const) : []),
    ...(hasTasks ? (["graph", "table", "timeline"] as const) : []),
    "changes",
    ...(thread.pull_request ? (["request"] as const) : []),
    "files",
    "terminals",
  ];
}

/** Return the panel that a thread opens with where one pane has room; none is the conversation. */
export function narrowPanelOf(thread: ThreadView): PanelName | null {
  if (isPlanAsked(thread)) {
    return "plan";
  }
  const isOver = /^(completed|cancelled)$/.test(thread.plan_status);
  return isOver ? (thread.work ? "work" : "table") : null;
}

function isPlanAsked(thread: ThreadView): boolean {
  return thread.requests.some(({ request }) => request.subject === "plan");
}

/** Return the panel that a thread opens with beside the conversation; none for a chat. */
export function firstPanelOf(thread: ThreadView): PanelName | null {
  if (isPlanAsked(thread) || (thread.status === "planning" && thread.tasks.length === 0)) {
    return "plan";
  }
  if (thread.tasks.length > 0) {
    return "graph";
  }
  return thread.work ? "work" : null;
}

/** Show a panel under the tabs of all. */
export function Side({ thread, tab, panels, panel, at, onChoose, hasTabs }: Props) {
  return (
    <div className={classes.side}>
      {hasTabs && (
        <PanelTabs panels={panels} panel={panel} thread={thread} tab={tab} onChoose={onChoose} />
      )}
      <div
        id="panel"
        role="tabpanel"
        aria-label={LABELS[panel]}
        className={classes.sideBody}
        tabIndex={-1}
      >
        <Shown thread={thread} tab={tab} panel={panel} at={at} />
      </div>
    </div>
  );
}

type ShownProps = Pick<Props, "thread" | "tab" | "panel" | "at">;

function Shown({ thread, tab, panel, at }: ShownProps) {
  switch (panel) {
    case "plan":
      return <PlanPanel thread={thread} at={at} />;
    case "work":
      return thread.work ? (
        <Worktree thread={thread.thread_id} of={{ task: WORK }}>
          <Work thread={thread} work={thread.work} at={at} />
        </Worktree>
      ) : null;
    case "graph":
    case "table":
    case "timeline":
      return (
        <Execution thread={thread} panel={panel} at={at}>
          <Summary thread={thread} isLive={at === null} />
        </Execution>
      );
    case "changes":
      return <ThreadChanges thread={thread} isLive={at === null} />;
    case "request":
      return thread.pull_request ? (
        <PullRequest thread={thread} found={thread.pull_request} isLive={at === null} />
      ) : null;
    case "files":
      return <SessionFiles thread={thread} tab={tab} />;
    case "terminals":
      return (
        <div className={classes.padded}>
          <Ports threadId={thread.thread_id} />
          <Terminals threadId={thread.thread_id} taskId={null} />
        </div>
      );
  }
}

/** The files of a chat, and its worktree in an editor. */
function SessionFiles({ thread, tab }: Pick<Props, "thread" | "tab">) {
  const self = nameOf(tab?.view.session_id ?? "");
  const files = tab?.view.files ?? [];
  return (
    <div className={classes.padded}>
      <Worktree thread={thread.thread_id} of={{ session: Number(self.split("-").at(-1)) }}>
        {files.length > 0 && <OpenInButton isBusy={tab?.view.is_working ?? false} />}
        <Files
          threadId={thread.thread_id}
          task={null}
          files={files}
          overlaps={thread.overlaps}
          self={self}
        />
      </Worktree>
    </div>
  );
}

interface TabsProps extends Pick<Props, "panels" | "thread" | "tab" | "onChoose"> {
  readonly panel: PanelName | null;
  /** Where there is room for one pane only, the conversation is a tab as well. */
  readonly isNarrow?: boolean;
}

/** The tabs of the panels. */
export function PanelTabs({ panels, panel, thread, tab, onChoose, isNarrow = false }: TabsProps) {
  const tabs = panels.filter((name) => name !== "table" && name !== "timeline");
  const names: readonly (PanelName | "none")[] = isNarrow ? ["none", ...tabs] : tabs;
  const chosen = panel === "table" || panel === "timeline" ? "graph" : (panel ?? "none");
  // a table is what fits a phone
  const choose = (name: PanelName | "none") =>
    onChoose(isNarrow && name === "graph" ? "table" : name);
  return (
    <div className={classes.tabs}>
      <TabList
        label="Panels"
        chosen={chosen}
        onChoose={choose}
        tabs={names.map((name) => ({
          name,
          content: (
            <>
              {name === "none" ? "Conversation" : LABELS[name]}
              <Count name={name} thread={thread} tab={tab} />
            </>
          ),
        }))}
      />
      {!isNarrow && (
        <ActionIcon
          size={26}
          variant="subtle"
          color="gray"
          aria-label="Close panel"
          onClick={() => onChoose("none")}
        >
          <PanelRightClose size={15} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

interface CountProps {
  readonly name: PanelName | "none";
  readonly thread: ThreadView;
  readonly tab: Tab | undefined;
}

function Count({ name, thread, tab }: CountProps) {
  const counts: Partial<Record<PanelName | "none", number>> = {
    plan: thread.plans.filter((plan) => !plan.superseded_by).length,
    graph: thread.tasks.length,
    files: tab?.view.files.length ?? 0,
    request: thread.pull_request?.items.length ?? 0,
  };
  const count = counts[name] ?? 0;
  return count > 1 || (/^(files|request)$/.test(name) && count > 0) ? (
    <span className="dim">{count}</span>
  ) : null;
}
