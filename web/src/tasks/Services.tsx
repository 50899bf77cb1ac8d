/** The services of a task's workspace: how they stand, started and stopped, opened and read. */

import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { get, post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useThread } from "@/api/queries";
import classes from "@/tasks/task.module.css";
import { Elapsed } from "@/ui/Ago";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { serverUrl } from "@/ui/own_host";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

const LiveTerminal = lazy(() => import("@/tasks/LiveTerminal"));
const EndedTerminal = lazy(() => import("@/tasks/EndedTerminal"));

type Service = Schemas["ServiceView"];
type Run = Schemas["ServiceRunView"];

interface Props {
  readonly threadId: string;
  readonly taskId: string;
}

const WHOSE: Readonly<Record<string, string>> = {
  person: "for you",
  agent: "for the agent",
  verification: "for verification",
};

/** Show a task's services; nothing where its recipe has none. */
export function Services({ threadId, taskId }: Props) {
  useThread(threadId); // its events have everything below its key fetched again
  const query = useQuery({
    queryKey: ["thread", threadId, "services", taskId],
    queryFn: () =>
      get("/v1/threads/{thread}/tasks/{task}/services", {
        path: { thread: threadId, task: taskId },
      }),
  });
  const services = query.data?.services ?? [];
  if (services.length === 0) {
    return null;
  }
  return (
    <section aria-label="Services">
      <h3>Services</h3>
      <ul className="plain-list">
        {services.map((service) => (
          <ServiceRow key={service.name} threadId={threadId} taskId={taskId} service={service} />
        ))}
      </ul>
    </section>
  );
}

function ServiceRow({ threadId, taskId, service }: Props & { readonly service: Service }) {
  const own = service.runs.find((run) => run.user === "person");
  const isUp = own !== undefined && own.ended_at == null;
  const path = { thread: threadId, task: taskId };
  const names = [service.name];
  const start = useCommand((command_id: string) =>
    post("/v1/threads/{thread}/tasks/{task}/services/start", path, { command_id, names }),
  );
  const stop = useCommand((command_id: string) =>
    post("/v1/threads/{thread}/tasks/{task}/services/stop", path, { command_id, names }),
  );
  return (
    <li className={classes.terminal}>
      <Group className={classes.serviceHead ?? ""} gap={12}>
        <strong>
          <Safe text={service.name} />
        </strong>
        <code className={`dim ${classes.grow}`}>
          <Safe text={service.command} />
        </code>
        {isUp ? (
          <CommandButton variant="default" command={stop} onClick={() => void stop.send()}>
            Stop
          </CommandButton>
        ) : (
          service.users.includes("person") && (
            <CommandButton variant="default" command={start} onClick={() => void start.send()}>
              Start
            </CommandButton>
          )
        )}
      </Group>
      {service.runs.map((run) => (
        <RunRow key={run.stream} threadId={threadId} name={service.name} run={run} />
      ))}
      <Failure problem={start.problem ?? stop.problem} note="Nothing was changed." />
    </li>
  );
}

interface RunProps {
  readonly threadId: string;
  readonly name: string;
  readonly run: Run;
}

function RunRow({ threadId, name, run }: RunProps) {
  const [isOpen, setOpen] = useState(false);
  const isUp = run.ended_at == null;
  const terminal = {
    stream: run.stream,
    label: name,
    status: isUp ? "running" : "exited",
  } as const;
  return (
    <>
      <div className={`${classes.row} ${classes.serviceRun}`}>
        <Status status={LOOK[run.state] ?? "idle"} word={wordOf(run)} />
        <span className="dim">{WHOSE[run.user] ?? run.user}</span>
        {run.note !== "" && (
          <span className="dim">
            <Safe text={run.note} />
          </span>
        )}
        <span className={classes.grow} />
        <span className="dim mono">
          <Elapsed from={run.opened_at} to={run.ended_at ?? null} />
        </span>
        {run.url !== "" && run.port != null && (
          <a
            className="mono"
            href={serverUrl(run.port)}
            aria-label={`Open ${name} ${WHOSE[run.user] ?? ""}`}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            Open :{run.port} ↗
          </a>
        )}
        <Button
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={`Log of ${name} ${WHOSE[run.user] ?? ""}`}
          onClick={() => setOpen(!isOpen)}
        >
          Log
        </Button>
      </div>
      {isOpen && (
        <Suspense fallback={<p className="dim">Opening…</p>}>
          {isUp ? (
            <LiveTerminal threadId={threadId} terminal={terminal} />
          ) : (
            <EndedTerminal threadId={threadId} terminal={terminal} />
          )}
        </Suspense>
      )}
    </>
  );
}

/** Nobody has asked one without a port how it is. */
function wordOf(run: Run): string {
  return run.state === "healthy" && run.port == null ? "running" : run.state;
}

const LOOK: Readonly<Record<string, string>> = {
  starting: "starting",
  healthy: "passed",
  failed: "failed",
  exited: "stopped",
};
