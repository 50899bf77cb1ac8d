/** Threads page by page, narrowed as the address says. */

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { get } from "@/api/client";
import { type ThreadFilters, useTopicRefresh } from "@/api/queries";

/** The statuses that a list of threads can be narrowed to, with their words. */
export const STATUSES = [
  ["", "Any status"],
  ["waiting", "Needs you"],
  ["planning", "Planning"],
  ["running", "Running"],
  ["paused", "Paused"],
  ["failed", "Failed"],
  ["completed", "Completed"],
] as const;

/** What the list is narrowed by, kept in the address so that it can be shared. */
export function useFilters(): readonly [
  ThreadFilters,
  (name: keyof ThreadFilters, value: string) => void,
] {
  const [search, setSearch] = useSearchParams();
  const status = STATUSES.find(([name]) => name === search.get("status"))?.[0] ?? "";
  const q = search.get("q") ?? "";
  const project = search.get("project") ?? "";
  const filters: ThreadFilters = {
    ...(q === "" ? {} : { q }),
    ...(status === "" ? {} : { status }),
    ...(project === "" ? {} : { project }),
    ...(search.get("archived") === "yes" ? { archived: true } : {}),
  };
  const narrow = (name: keyof ThreadFilters, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") {
          next.delete(name);
        } else {
          next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return [filters, narrow];
}

/** Threads of these filters, the latest changed first, 100 a page. */
export function useThreadPages(filters: ThreadFilters) {
  const query = useInfiniteQuery({
    queryKey: ["threads", "pages", filters],
    queryFn: ({ pageParam }) =>
      get("/v1/threads", {
        query: { ...filters, limit: 100, ...(pageParam === null ? {} : { after: pageParam }) },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next ?? null,
    placeholderData: keepPreviousData,
  });
  useTopicRefresh("threads", query.data?.pages[0]?.position ?? null, ["threads", "pages"]);
  return query;
}
