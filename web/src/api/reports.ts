/** What is read over all threads: money, the report, and what tasks learned. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "@/api/client";
import { ON_FOCUS } from "@/api/resources";

/** What this calendar month has cost, and how spending limits stand. */
export function useMoney() {
  return useQuery({ queryKey: ["money"], queryFn: () => get("/v1/money"), ...ON_FOCUS });
}

/** What a plan will likely cost, by what tasks cost before. */
export function useEstimate(thread: string, revision: number) {
  return useQuery({
    queryKey: ["estimate", thread, revision],
    queryFn: () =>
      get("/v1/threads/{thread}/plans/{revision}/estimate", { path: { thread, revision } }),
  });
}

/** What was done, waited for and spent since a moment (`7d`, a date; empty is ever), in a project or all. */
export function useReport(since: string, project: string) {
  return useQuery({
    queryKey: ["report", since, project],
    queryFn: () =>
      get("/v1/report", {
        query: {
          ...(since === "" ? {} : { since }),
          ...(project === "" ? {} : { project }),
        },
      }),
    placeholderData: keepPreviousData,
    ...ON_FOCUS,
  });
}

/** How agents did in a repository; nothing is asked without one. */
export function useAgentRecords(repository: string) {
  return useQuery({
    queryKey: ["agent-records", repository],
    queryFn: () => get("/v1/report/agents", { query: { project: repository } }),
    enabled: repository !== "",
    placeholderData: keepPreviousData,
    retry: false,
    ...ON_FOCUS,
  });
}

/** What tasks learned, of a repository or all. */
export function useLearnings(project: string) {
  return useQuery({
    queryKey: ["learnings", project],
    queryFn: () => get("/v1/learnings", { query: project === "" ? {} : { project } }),
    placeholderData: keepPreviousData,
    ...ON_FOCUS,
  });
}
