/** Threads page by page, narrowed as the address says. */

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSearchParams } from "wouter";
import { get } from "@/api/client";
import { useLiveLines } from "@/api/live_lines";
import { useRefresh } from "@/api/queries";
import type { ThreadFilters } from "@/api/thread_news";

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

/** The ways to look at threads. */
export const VIEWS = [
  { value: "list", label: "List" },
  { value: "board", label: "Board" },
] as const;

type View = (typeof VIEWS)[number]["value"];

const VIEW = "treadle.threads.view";

/** How threads are looked at: as the address says, else as in this browser the last time. */
export function useView(): readonly [View, (view: View) => void] {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("view") ?? localStorage.getItem(VIEW);
  const choose = (view: View) => {
    localStorage.setItem(VIEW, view);
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        next.set("view", view);
        return next;
      },
      { replace: true },
    );
  };
  return [wanted === "board" ? "board" : "list", choose];
}

/** What the list is narrowed by, kept in the address so that it can be shared. */
export function useFilters(): readonly [
  ThreadFilters,
  (name: keyof ThreadFilters, value: string) => void,
] {
  const [search, setSearch] = useSearchParams();
  const status = STATUSES.find(([name]) => name === search.get("status"))?.[0] ?? "";
  const q = search.get("q") ?? "";
  const project = search.get("project") ?? "";
  const archived = search.get("archived") === "yes";
  const filters: ThreadFilters = useMemo(
    () => ({
      ...(q === "" ? {} : { q }),
      ...(status === "" ? {} : { status }),
      ...(project === "" ? {} : { project }),
      ...(archived ? { archived } : {}),
    }),
    [q, status, project, archived],
  );
  const narrow = (name: keyof ThreadFilters, value: string) =>
    setSearch(
      () => {
        const next = new URLSearchParams(window.location.search); // the newest, also after a pause
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

const FIRST_PAGE = 100;
const NEXT_PAGES = 500;

/** Threads of these filters, the latest changed first, page by page: what list and board show, and both keep. */
export function useThreadPages(filters: ThreadFilters) {
  const key = ["threads", "pages", filters] as const;
  const refetch = useRefresh(key);
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) =>
      get("/v1/threads", {
        query: {
          ...filters,
          ...(pageParam === null ? { limit: FIRST_PAGE } : { limit: NEXT_PAGES, after: pageParam }),
        },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next ?? null,
    placeholderData: keepPreviousData,
  });
  return { query, lines: useLiveLines(query.data?.pages, filters, refetch) };
}
