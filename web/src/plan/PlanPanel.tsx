/** The right side of a thread that plans: its plans, one shown whole, and the bar that decides. */

import { Tabs } from "@mantine/core";
import { useState } from "react";
import { ApproveBar } from "@/plan/ApproveBar";
import type { ThreadView } from "@/plan/models";
import { plannersOf } from "@/plan/planners";
import { Empty } from "@/ui/Empty";

interface Props {
  readonly thread: ThreadView;
  /** The position of the past that is shown; null is now. */
  readonly at: number | null;
}

/** Show the plans of a thread. */
export function PlanPanel({ thread, at }: Props) {
  const planners = plannersOf(thread);
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = planners.find(({ letter }) => letter === chosen) ?? planners[0];
  if (shown === undefined) {
    return <Empty title="No plan yet" text="Ask for one in the chat, or with /plan goal." />;
  }
  const isSeveral = planners.length > 1;
  return (
    <>
      <Tabs value={shown.letter} onChange={setChosen}>
        <Tabs.List>
          {planners.map(({ letter, name, newest }) => (
            <Tabs.Tab key={letter} value={letter}>
              {letter} {name} {newest ? `r${newest.revision}` : "…"}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {shown.newest && <p>{shown.newest.plan.summary}</p>}
      {shown.newest && shown.isWaiting && at === null && (
        <ApproveBar
          threadId={thread.thread_id}
          request={shown.newest.request}
          plan={shown.newest}
          agent={thread.agent}
          letter={isSeveral ? shown.letter : ""}
        />
      )}
    </>
  );
}
