/** The newest row of each thread that changed while the page is open: lists, board and sidebar read it over what they fetched. */

import { useCallback, useMemo, useRef, useSyncExternalStore } from "react";
import type { Schemas } from "@/api/client";
import { useTopic } from "@/api/events/connection";
import type { LiveEvent } from "@/api/events/topics";
import { type Fetched, isAmong, type News, type ThreadFilters, withNews } from "@/api/thread_news";

type ThreadLine = Schemas["ThreadLine"];

/** What a notice of lists has: rows that changed, and threads that were deleted. */
interface Brought {
  readonly lines: readonly ThreadLine[];
  readonly gone?: readonly string[];
}

let known: ReadonlyMap<string, News> = new Map();
let arrived: News[] = [];
const watchers = new Set<() => void>();

/** Take what a notice brings; it is shown with the next frame, all at once, however many came until then. */
export function takeLines(position: number, lines: readonly ThreadLine[]): void {
  if (arrived.length === 0 && lines.length > 0) {
    requestAnimationFrame(showArrived);
  }
  arrived.push(...lines.map((line) => ({ line, position })));
}

function showArrived(): void {
  const next = new Map(known);
  for (const each of arrived) {
    const before = next.get(each.line.thread_id);
    if (before === undefined || before.position <= each.position) {
      next.set(each.line.thread_id, each);
    }
  }
  arrived = [];
  known = next;
  for (const watcher of watchers) {
    watcher();
  }
}

function forgetAll(): void {
  known = new Map();
  arrived = [];
}

function watch(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}

/**
 * Return a list of threads as it is now; undefined until it was fetched.
 *
 * `refetch` is asked for where a notice tells of what only the engine can place, or the journal was replaced.
 */
export function useLiveLines(
  parts: readonly Fetched[] | undefined,
  filters: ThreadFilters,
  refetch: () => void,
): readonly ThreadLine[] | undefined {
  const name = JSON.stringify(filters);
  const wanted = useMemo(() => JSON.parse(name) as ThreadFilters, [name]);
  const ask = useRef(refetch);
  ask.current = refetch;
  useTopic("threads", parts?.[0]?.position ?? null, (live: LiveEvent) => {
    if (live.name === "reset") {
      forgetAll();
      ask.current();
      return;
    }
    const { lines, gone = [] } = live.data as Brought;
    takeLines(live.position, lines);
    const isForEngine = wanted.q !== undefined && lines.some((line) => isAmong(line, wanted));
    if (isForEngine || gone.length > 0) {
      ask.current();
    }
  });
  const news = useSyncExternalStore(
    watch,
    useCallback(() => known, []),
  );
  return useMemo(() => parts && withNews(parts, news, wanted), [parts, news, wanted]);
}
