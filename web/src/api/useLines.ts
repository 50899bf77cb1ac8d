/** The threads and runs of flows that the sidebar, the palette and the titles share. */

import { useMemo } from "react";
import { lineOfRun, lineOfThread, type SideLine, sorted } from "@/api/lines";
import { useThreads } from "@/api/queries";
import { useFlowRuns } from "@/api/resources";

/** Return all that is not archived in the order of attention; undefined until it is known. */
export function useLines(): readonly SideLine[] | undefined {
  const threads = useThreads().data?.threads;
  const runs = useFlowRuns().data?.runs;
  return useMemo(() => {
    if (threads === undefined) {
      return undefined;
    }
    return sorted([...threads.map(lineOfThread), ...(runs ?? []).map(lineOfRun)]);
  }, [threads, runs]);
}
