/** What notices do to a list of threads that was fetched before; pure. */

import type { Schemas } from "@/api/client";

type ThreadLine = Schemas["ThreadLine"];

/** What a list of threads is narrowed by. */
export interface ThreadFilters {
  readonly q?: string;
  readonly status?: "running" | "waiting" | "failed" | "completed" | "planning" | "paused";
  readonly project?: string;
  readonly archived?: boolean;
}

/** A row as a notice brought it, and the position up to which it is true. */
export interface News {
  readonly line: ThreadLine;
  readonly position: number;
}

/** Part of a list as it was fetched. */
export interface Fetched {
  readonly threads: readonly ThreadLine[];
  readonly position: number;
}

/** Tell whether a thread is among those that a list is narrowed to; its words only the engine compares. */
export function isAmong(line: ThreadLine, filters: ThreadFilters): boolean {
  const { status, project } = filters;
  const isOfProject =
    project === undefined || line.project === project || line.project.endsWith(`/${project}`);
  const isOfStatus = status === undefined || line.shown_status === status;
  return isOfProject && isOfStatus && line.is_archived === (filters.archived ?? false);
}

/**
 * Return what was fetched with the news since then, the latest changed first: rows that changed, came, or are no
 * longer meant. What comes to a search the engine has to find.
 */
export function withNews(
  parts: readonly Fetched[],
  news: ReadonlyMap<string, News>,
  filters: ThreadFilters,
): readonly ThreadLine[] {
  const lines = new Map<string, ThreadLine>();
  const settled = new Set<string>();
  for (const { threads, position } of parts) {
    for (const line of threads) {
      const newer = news.get(line.thread_id);
      // a row may follow its event, and no newer position tells of it then
      const isNewer = newer !== undefined && newer.position >= position;
      const present = isNewer ? newer.line : line;
      settled.add(line.thread_id);
      if (!lines.has(line.thread_id) && (!isNewer || isAmong(present, filters))) {
        lines.set(line.thread_id, present);
      }
    }
  }
  const from = parts[0]?.position ?? 0; // what changed since is in front of all pages
  const came = [...news.values()].filter(
    ({ line, position }) =>
      position > from && !settled.has(line.thread_id) && isAmong(line, filters),
  );
  for (const { line } of filters.q === undefined ? came : []) {
    lines.set(line.thread_id, line);
  }
  return [...lines.values()].sort((one, other) => other.changed - one.changed);
}
