/** The screen of a thread: head, sessions, conversation, and what stands beside it. */

import { ActionIcon, Loader } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { PanelRightOpen } from "lucide-react";
import { useCallback, useState } from "react";
import { useParams, useSearchParams } from "wouter";
import type { Schemas } from "@/api/client";
import { useThread } from "@/api/queries";
import { problemOf } from "@/api/resources";
import { Scrubber } from "@/execution/Scrubber";
import { useKeys } from "@/keyboard/registry";
import { UnsavedEdits } from "@/plans/UnsavedEdits";
import { type PanelName, shownOf } from "@/screens/thread/address";
import { Chat } from "@/screens/thread/Chat";
import { Header } from "@/screens/thread/Header";
import { useMentionsSeen } from "@/screens/thread/mentions";
import { Notices } from "@/screens/thread/Notices";
import { ReplacedDrafts } from "@/screens/thread/Replaced";
import {
  firstPanelOf,
  LABELS,
  narrowPanelOf,
  PanelTabs,
  panelsOf,
  Side,
} from "@/screens/thread/Side";
import { firstOf, tabsOf } from "@/screens/thread/sessions";
import { Tabs } from "@/screens/thread/Tabs";
import classes from "@/screens/thread/thread.module.css";
import { GateBar } from "@/tasks/review/GateBar";
import { AsOf } from "@/ui/Ago";
import { withParams } from "@/ui/addresses";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { ProjectContext } from "@/ui/ForRole";
import { SplitPane } from "@/ui/SplitPane";

type ThreadView = Schemas["ThreadView"];

/** Show the thread of the address. */
export default function Screen() {
  const { thread: id = "" } = useParams<{ thread: string }>();
  const [query] = useSearchParams();
  const { at } = shownOf(query);
  const thread = useThread(id, at);
  const problem = problemOf(thread.error);
  if (thread.data === undefined || thread.data.thread_id !== id) {
    if (problem?.status === 404) {
      return (
        <Empty title="Thread not found" text={problem.detail}>
          <a href="/threads">All threads</a>
        </Empty>
      );
    }
    return problem === null ? (
      <Loader m="xl" size="sm" role="status" aria-label="Loading the thread" />
    ) : (
      <div className={classes.failed}>
        <Failure problem={problem} onRetry={() => void thread.refetch()} />
      </div>
    );
  }
  return (
    <AsOf at={at === null ? null : (thread.data.changed_at ?? null)}>
      <ProjectContext value={thread.data.repository}>
        <Thread key={id} thread={thread.data} />
      </ProjectContext>
    </AsOf>
  );
}

function Thread({ thread }: { readonly thread: ThreadView }) {
  const [query, setQuery] = useSearchParams();
  const { session, panel: wanted, at } = shownOf(query);
  const isNarrow = useMediaQuery("(max-width: 760px)") ?? false;
  const [isTravelling, setTravelling] = useState(false);
  const tabs = tabsOf(thread);
  const tab = tabs.find(({ name }) => name === session) ?? firstOf(thread, tabs);
  const panels = panelsOf(thread);
  const first = isNarrow ? narrowPanelOf(thread) : firstPanelOf(thread);
  const panel = wanted === "none" ? null : (panels.find((name) => name === wanted) ?? first);
  const show = useCallback(
    (change: Readonly<Record<string, string | null>>) =>
      setQuery((present) => withParams(present, change), { replace: true }),
    [setQuery],
  );
  const showPanel = useCallback((name: string) => show({ panel: name }), [show]);
  const isLive = at === null;
  useMentionsSeen(thread.thread_id);
  useThreadKeys({ panels, showPanel, travel: () => setTravelling(!isTravelling) });
  const parts = { thread, tab, panels, at, onChoose: showPanel };
  const conversation = tab && (
    <Chat key={tab.name} thread={thread} tab={tab} at={at} showPanel={showPanel} />
  );
  const side = panel && <Side {...parts} panel={panel} hasTabs={!isNarrow} />;
  return (
    <div className={classes.screen} data-past={!isLive}>
      <Header thread={thread} isLive={isLive} session={tab?.view.session_id ?? null} />
      <Notices thread={thread} isLive={isLive} />
      {isLive && <UnsavedEdits thread={thread} />}
      {isLive && <ReplacedDrafts sessions={thread.sessions} shown={tab?.view.session_id ?? ""} />}
      {isNarrow && (
        <>
          <h2 className="visually-hidden">{panel === null ? "Conversation" : LABELS[panel]}</h2>
          <PanelTabs {...parts} panel={panel} isNarrow />
        </>
      )}
      {(!isNarrow || panel === null) && (
        <div className={classes.bar}>
          <Tabs
            threadId={thread.thread_id}
            repository={thread.repository}
            agent={thread.agent}
            tabs={tabs}
            chosen={tab?.name ?? ""}
            onChoose={(name) => show({ session: name, ...(isNarrow ? { panel: "none" } : {}) })}
            isLive={isLive}
          />
          {panel === null && !isNarrow && (
            <ActionIcon
              size={26}
              variant="subtle"
              color="gray"
              aria-label="Open a side panel"
              onClick={() => showPanel(first ?? "files")}
            >
              <PanelRightOpen size={15} aria-hidden />
            </ActionIcon>
          )}
        </div>
      )}
      <div className={classes.body}>
        {isNarrow ? (
          (side ?? conversation)
        ) : (
          <SplitPane
            name="thread"
            left={conversation}
            right={side}
            share={45}
            leftLabel="Selected session"
            rightLabel="Side panel"
          />
        )}
      </div>
      {isLive && thread.work && <GateBar threadId={thread.thread_id} task={thread.work} />}
      {(isTravelling || !isLive) && <Scrubber thread={thread} at={at} />}
    </div>
  );
}

interface Keyed {
  readonly panels: readonly PanelName[];
  readonly showPanel: (name: string) => void;
  readonly travel: () => void;
}

const KEYS: Readonly<Record<PanelName, readonly [string, string]>> = {
  plan: ["p", "Plan"],
  work: ["w", "Work"],
  graph: ["g", "Graph"],
  table: ["t", "Table"],
  timeline: ["l", "Timeline"],
  changes: ["c", "Changes"],
  request: ["q", "Pull request"],
  files: ["e", "Files"],
  terminals: ["x", "Terminals"],
};

function useThreadKeys({ panels, showPanel, travel }: Keyed): void {
  useKeys("Thread", [
    ...panels.map((name) => ({
      keys: KEYS[name][0],
      label: KEYS[name][1],
      run: () => showPanel(name),
    })),
    { keys: "h", label: "History: go back in time", run: travel },
  ]);
}
