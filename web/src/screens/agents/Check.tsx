/** A check of an agent, as it goes. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { get, type Schemas } from "@/api/client";
import { useTopic } from "@/api/events/connection";
import { problemOf } from "@/api/resources";
import classes from "@/screens/agents/agents.module.css";
import { linesOf } from "@/screens/agents/check_output";
import { Failure } from "@/ui/Failure";
import { Panel } from "@/ui/Panel";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly name: string;
  readonly number: number;
}

/** Follow the events of a check. */
export function useCheck(name: string, number: number) {
  const page = useQuery({
    queryKey: ["check", name, number],
    queryFn: () =>
      get("/v1/agents/{name}/checks/{number}/events", {
        path: { name, number },
        query: { limit: 1000 },
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [live, setLive] = useState<readonly Schemas["JournaledEvent"][]>([]);
  const after = page.data ? (page.data.events.at(-1)?.position ?? page.data.after) : null;
  useTopic(`check:${name}/${number}`, after, ({ journaled }) => {
    if (journaled) {
      setLive((before) => [...before, journaled]);
    }
  });
  const first = page.data?.events ?? [];
  const newer = live.filter(({ position }) => position > (after ?? 0));
  return { events: [...first, ...newer], error: page.error };
}

/** Show a check; once it is over, what is known of the agent is fetched again. */
export function Check({ name, number }: Props) {
  const queries = useQueryClient();
  const { events, error } = useCheck(name, number);
  const end = events.find(({ event }) => event.body.kind === "agent_check_ended")?.event.body;
  const isOver = end !== undefined;
  const isWell = end?.kind === "agent_check_ended" && end.result.is_well === true;
  useEffect(() => {
    if (isOver) {
      void queries.invalidateQueries({ queryKey: ["agents"] });
    }
  }, [isOver, queries]);
  return (
    <Panel
      title={`Check ${number}`}
      actions={<Status status={isOver ? (isWell ? "passed" : "failed") : "running"} />}
    >
      <Failure problem={problemOf(error)} />
      <ol className="plain-list" aria-live="polite">
        {linesOf(events).map(({ position, who, text, isBad }) => (
          <li key={position} className={classes.line} data-who={who} data-bad={isBad}>
            <span className="dim">{who === "end" ? "" : who}</span>
            <span className="pre-wrap">
              <Safe text={text} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
