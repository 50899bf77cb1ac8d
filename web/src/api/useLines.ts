/** The threads and runs of flows that the sidebar, the palette and the titles share. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { get, type Schemas } from "@/api/client";
import {
  lineOfRun,
  lineOfThread,
  lineOfView,
  markWaiting,
  type SideLine,
  sorted,
} from "@/api/lines";
import { LISTED, useInbox, useThreads } from "@/api/queries";
import { useFlowRuns } from "@/api/resources";

const NONE: readonly Schemas["ThreadLine"][] = [];

/**
 * Return all that is not archived in the order of attention; undefined until it is known.
 *
 * Of very many threads these are the latest changed, all that wait or run, and the one that is shown.
 */
export function useLines(shown: string | null = null): readonly SideLine[] | undefined {
  const newest = useThreads();
  const isFull = (newest?.length ?? 0) >= LISTED;
  const waiting = useThreads({ status: "waiting" }, isFull) ?? NONE;
  const running = useThreads({ status: "running" }, isFull) ?? NONE;
  const runs = useFlowRuns().data?.runs;
  const items = useInbox().data?.items;
  const lines = useMemo(() => {
    if (newest === undefined) {
      return undefined;
    }
    const all = [...waiting, ...running, ...newest];
    const threads = new Map(all.map((line) => [line.thread_id, lineOfThread(line)]));
    return [...threads.values(), ...(runs ?? []).map(lineOfRun)];
  }, [newest, waiting, running, runs]);
  const isMissing =
    lines !== undefined && shown?.startsWith("thread-") === true && !lines.some(isOf(shown));
  const view = useQuery({
    queryKey: ["thread", shown ?? "", "view", null],
    queryFn: () => get("/v1/threads/{thread}", { path: { thread: shown ?? "" } }),
    enabled: isMissing,
  }).data;
  return useMemo(() => {
    const open = isMissing && view && !view.is_archived ? [lineOfView(view)] : [];
    const all = lines && [...open, ...lines];
    return all && sorted(items === undefined ? all : markWaiting(all, items));
  }, [lines, isMissing, view, items]);
}

function isOf(id: string) {
  return (line: SideLine) => line.id === id;
}
