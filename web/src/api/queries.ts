/** One hook a resource: a snapshot by REST, fetched again when its topic says that it changed. */

import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { get } from "@/api/client";
import { useTopic } from "@/api/events/connection";
import { isAgentOutput, type LiveEvent } from "@/api/events/topics";
import { useLiveLines } from "@/api/live_lines";
import { refresher } from "@/api/refresher";
import { nextBack } from "@/api/snoozed";
import type { ThreadFilters } from "@/api/thread_news";

/** One for each client, so that components that show the same thing have it fetched once. */
const refreshers = new WeakMap<QueryClient, (name: string) => void>();

function refresherOf(client: QueryClient): (name: string) => void {
  const made =
    refreshers.get(client) ??
    refresher((name) => client.invalidateQueries({ queryKey: JSON.parse(name) as unknown[] }));
  refreshers.set(client, made);
  return made;
}

/** Return a function that has queries fetched again; `key` is the beginning of the keys that are meant. */
export function useRefresh(key: readonly unknown[]): () => void {
  const client = useQueryClient();
  const name = JSON.stringify(key);
  return useCallback(() => refresherOf(client)(name), [client, name]);
}

/** Fetch again on every event of a topic except the agents' running output. */
export function useTopicRefresh(
  topic: string,
  after: number | null,
  key: readonly unknown[],
): void {
  const refresh = useRefresh(key);
  useTopic(topic, after, (live: LiveEvent) => {
    if (live.journaled === null || !isAgentOutput(live.journaled.event.body.kind)) {
      refresh();
    }
  });
}

/** Everything that waits for a person, across all projects, oldest first. */
export function useInbox() {
  const query = useQuery({
    queryKey: ["inbox"],
    queryFn: () => get("/v1/inbox"),
    refetchInterval: ({ state }) => nextBack(state.data?.items ?? [], new Date()),
  });
  useTopicRefresh("inbox", query.data?.position ?? null, ["inbox"]);
  return query;
}

/** Who is signed in, with their roles by project. */
export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: () => get("/v1/me"),
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  });
}

/**
 * Keep what is shown of a thing while a moment of its past is read.
 *
 * Never another thing's, and never the past in place of the present: people decide on that.
 */
function placeholderOf(kind: readonly string[], at: number | null) {
  return <T>(data: T | undefined, before: { readonly queryKey: QueryKey } | undefined) =>
    at !== null && kind.every((part, index) => before?.queryKey[index] === part) ? data : undefined;
}

/** So many threads are listed at most. */
export const LISTED = 100;

/** Threads, the latest changed first, as they are now; undefined until they are known. */
export function useThreads(filters: ThreadFilters = {}, isEnabled = true) {
  const key = ["threads", filters] as const;
  const refetch = useRefresh(key);
  const query = useQuery({
    queryKey: key,
    queryFn: () => get("/v1/threads", { query: { ...filters, limit: LISTED } }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  const parts = useMemo(() => query.data && [query.data], [query.data]);
  const lines = useLiveLines(parts, filters, refetch);
  return useMemo(() => lines?.slice(0, LISTED), [lines]);
}

/** A thread with its plan, tasks and sessions; with `at` as it was at that position, then not live. */
export function useThread(thread: string, at: number | null = null) {
  const query = useQuery({
    queryKey: ["thread", thread, "view", at],
    queryFn: () =>
      get("/v1/threads/{thread}", { path: { thread }, query: at === null ? {} : { at } }),
    placeholderData: placeholderOf(["thread", thread, "view"], at),
  });
  const position = at === null ? (query.data?.position ?? null) : null;
  useTopicRefresh(`thread:${thread}`, position, ["thread", thread]);
  return query;
}

/** A task of a thread; with `at` as it was at that position. Live through its thread's topic. */
export function useTask(thread: string, task: string, at: number | null = null) {
  return useQuery({
    queryKey: ["thread", thread, "task", task, at],
    queryFn: () =>
      get("/v1/threads/{thread}/tasks/{task}", {
        path: { thread, task },
        query: at === null ? {} : { at },
      }),
    placeholderData: placeholderOf(["thread", thread, "task", task], at),
  });
}

/** What makes one revision of a plan the other; revisions never change. */
export function useDifference(thread: string, before: number, after: number) {
  return useQuery({
    queryKey: ["plan-difference", thread, before, after],
    queryFn: () =>
      get("/v1/threads/{thread}/plans/{revision}/diff/{other}", {
        path: { thread, revision: before, other: after },
      }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: before !== after,
  });
}

/** Plans side by side: the named revisions, else all that wait. */
export function useComparison(thread: string, revisions: readonly number[] = [], isEnabled = true) {
  return useQuery({
    queryKey: ["thread", thread, "comparison", revisions],
    enabled: isEnabled,
    queryFn: () =>
      get("/v1/threads/{thread}/plans/compare", {
        path: { thread },
        query: revisions.length === 0 ? {} : { revisions: revisions.join(",") },
      }),
    placeholderData: keepPreviousData,
  });
}

/** The recipe of a thread's workspaces, as a file would have it. */
export function useSetUpText(thread: string, number: number) {
  return useQuery({
    queryKey: ["set-up", thread, number],
    queryFn: () => get("/v1/threads/{thread}/set-up", { path: { thread } }),
  });
}

/** A thread by the clock: what each task did when, and the moments to go back to. */
export function useTimeline(thread: string) {
  return useQuery({
    queryKey: ["thread", thread, "timeline"],
    queryFn: () => get("/v1/threads/{thread}/timeline", { path: { thread } }),
    placeholderData: keepPreviousData,
  });
}

/** The states of files that a thread can go back to. */
export function useCheckpoints(thread: string) {
  return useQuery({
    queryKey: ["thread", thread, "checkpoints"],
    queryFn: () => get("/v1/threads/{thread}/checkpoints", { path: { thread } }),
  });
}
