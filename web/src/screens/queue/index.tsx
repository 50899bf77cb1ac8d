/** The queue: what waits for its turn, in order, and why. */

import { Button } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { mineOf } from "@/api/lines";
import { useInbox } from "@/api/queries";
import { problemOf, useQueue } from "@/api/resources";
import { SERVER } from "@/api/roles";
import { useKeys } from "@/keyboard/registry";
import { AddWork } from "@/screens/queue/AddWork";
import { hold, release } from "@/screens/queue/commands";
import { Entries } from "@/screens/queue/Entries";
import { Limits } from "@/screens/queue/Limits";
import { CommandButton } from "@/ui/CommandButton";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { ProjectContext } from "@/ui/ForRole";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";
import page from "@/ui/page.module.css";

/** The screen of the queue. */
export default function Screen() {
  const query = useQueue();
  const [isAdding, setAdding] = useState(false);
  useKeys("Queue", [{ keys: "+", label: "Add to queue", run: () => setAdding(true) }]);
  const queue = query.data;
  const entries = queue?.entries ?? [];
  const over = queue?.over ?? [];
  const known = [...entries, ...over].map(({ entry }) => entry);
  return (
    <Page
      title="Queue"
      below={queue && <QueueStatus queue={queue} />}
      actions={
        <>
          {queue && <HoldAll queue={queue} />}
          <Button
            variant={isAdding ? "default" : "filled"}
            aria-expanded={isAdding}
            onClick={() => setAdding(!isAdding)}
          >
            {isAdding ? "Close" : "Add"}
          </Button>
        </>
      }
    >
      <div className={`${page.column} ${page.padded}`}>
        <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        {isAdding && <AddWork entries={entries} />}
        {queue && entries.length === 0 && !isAdding && (
          <Empty
            title="The queue is empty"
            text="Goals and flows in the queue start by priority, within the limits."
          >
            <Button onClick={() => setAdding(true)}>Add to queue</Button>{" "}
            <LinkButton to="/templates">Start from a workflow template</LinkButton>
          </Empty>
        )}
        {queue && entries.length > 0 && (
          <Entries entries={entries} known={known} label="In the queue" />
        )}
        {queue && <Limits queue={queue} />}
        {over.length > 0 && <Entries entries={over} known={known} label="Finished" isOver />}
      </div>
    </Page>
  );
}

type Queue = Schemas["QueueView"];

function QueueStatus({ queue }: { readonly queue: Queue }) {
  const waiting = (queue.entries ?? []).filter(({ place }) => typeof place === "number").length;
  const running = queue.running ?? 0;
  const asking = mineOf(useInbox().data?.items ?? []).length;
  const most = queue.limits?.max_running ?? 0;
  return (
    <span role="status">
      {running} running (limit {most}) · {asking === 1 ? "1 needs you" : `${asking} need you`} ·{" "}
      {waiting} waiting to start
      {queue.is_held && (
        <strong> · held{queue.held_by && ` by ${queue.held_by}`}: nothing new starts</strong>
      )}
    </span>
  );
}

function HoldAll({ queue }: { readonly queue: Queue }) {
  const command = useCommand((id: string) => (queue.is_held ? release(id, null) : hold(id, null)));
  return (
    <>
      <Failure problem={command.problem} />
      <ProjectContext value={SERVER}>
        <CommandButton
          needs="admin"
          variant="default"
          command={command}
          onClick={() => void command.send()}
        >
          {queue.is_held ? "Release the queue" : "Hold all"}
        </CommandButton>
      </ProjectContext>
    </>
  );
}
