/** The terminals of a task or of a whole thread: what runs, and what it says, live. */

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { api, body, Problem, type Schemas } from "@/api/client";
import { useThread } from "@/api/queries";
import classes from "@/tasks/task.module.css";
import { Elapsed } from "@/ui/Ago";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

const LiveTerminal = lazy(() => import("@/tasks/LiveTerminal"));
const EndedTerminal = lazy(() => import("@/tasks/EndedTerminal"));

type TerminalView = Schemas["TerminalView"];

interface Props {
  readonly threadId: string;
  /** Whose; without one all of the thread's. */
  readonly taskId: string | null;
}

/** Show terminals, the running ones first; one at a time is opened. */
export function Terminals({ threadId, taskId }: Props) {
  const query = useTerminals(threadId, taskId);
  const [chosen, setChosen] = useState<string | null>(null);
  const found = query.data ?? [];
  const ordered = [
    ...found.filter((one) => one.status === "running"),
    ...found.filter((one) => one.status !== "running").toReversed(),
  ];
  const open = chosen ?? ordered[0]?.stream ?? null;
  if (query.error instanceof Problem) {
    return <Failure problem={query.error} onRetry={() => void query.refetch()} />;
  }
  if (query.data === undefined) {
    return <p className="dim">Loading…</p>;
  }
  if (found.length === 0) {
    return (
      <p className="dim">No terminals. Agents open them for servers, watchers, and long builds.</p>
    );
  }
  return (
    <ul className="plain-list" aria-label="Terminals">
      {ordered.map((terminal) => (
        <TerminalRow
          key={terminal.stream}
          threadId={threadId}
          terminal={terminal}
          isOpen={terminal.stream === open}
          hasOwner={taskId === null}
          onToggle={() => setChosen(terminal.stream === open ? "" : terminal.stream)}
        />
      ))}
    </ul>
  );
}

function useTerminals(threadId: string, taskId: string | null) {
  useThread(threadId); // its events have everything below its key fetched again
  return useQuery({
    queryKey: ["thread", threadId, "terminals", taskId],
    queryFn: async () => {
      const { terminals } = await body(
        taskId === null
          ? api.GET("/v1/threads/{thread}/terminals", { params: { path: { thread: threadId } } })
          : api.GET("/v1/threads/{thread}/{kind}/{name}/terminals", {
              params: { path: { thread: threadId, kind: "tasks", name: taskId } },
            }),
      );
      return terminals;
    },
  });
}

interface RowProps {
  readonly threadId: string;
  readonly terminal: TerminalView;
  readonly isOpen: boolean;
  readonly hasOwner: boolean;
  readonly onToggle: () => void;
}

function TerminalRow({ threadId, terminal, isOpen, hasOwner, onToggle }: RowProps) {
  const isRunning = terminal.status === "running";
  const owner = terminal.stream.split("/")[1] ?? "";
  return (
    <li className={classes.terminal}>
      <button
        type="button"
        className={classes.terminalHead}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <Status status={isRunning ? "running" : endOf(terminal)} word={endWords(terminal)} />
        <strong>
          <Safe text={terminal.label || terminal.id} />
        </strong>
        {hasOwner && <span className="dim">{owner}</span>}
        {terminal.port != null && <span className="mono dim">port {terminal.port}</span>}
        {terminal.is_required && <span className="dim">must still be running at the end</span>}
        <span className={classes.grow} />
        <span className="dim mono">
          <Elapsed from={terminal.opened_at} to={terminal.ended_at ?? null} />
        </span>
      </button>
      {isOpen && (
        <>
          <code className={`${classes.command} dim`}>
            $ <Safe text={terminal.command.replaceAll("\u001b", "\\e")} />
          </code>
          {terminal.note !== "" && <p className="dim">{terminal.note}</p>}
          <Suspense fallback={<p className="dim">Opening…</p>}>
            {isRunning ? (
              <LiveTerminal threadId={threadId} terminal={terminal} />
            ) : (
              <EndedTerminal threadId={threadId} terminal={terminal} />
            )}
          </Suspense>
        </>
      )}
    </li>
  );
}

function endOf(terminal: TerminalView): string {
  return terminal.exit_code === 0 ? "completed" : terminal.exit_code == null ? "stopped" : "failed";
}

function endWords(terminal: TerminalView): string {
  if (terminal.status === "running") {
    return "running";
  }
  if (terminal.exit_code != null) {
    return `exit ${terminal.exit_code}`;
  }
  return terminal.signal == null ? "ended" : `signal ${terminal.signal}`;
}
