/** What the engine finds for the palette: threads by title, and passages of conversations. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, type Schemas } from "@/api/client";
import { lineOfThread, type SideLine } from "@/api/lines";

const LEAST_LETTERS = 3;
const MOST = 8;

interface Found {
  /** The recent lines, and further threads of that title. */
  readonly lines: readonly SideLine[];
  readonly finds: readonly Schemas["Find"][];
  readonly isSearching: boolean;
}

/** Look for what was typed; short words find nothing more than what is there. */
export function useFound(typed: string, recent: readonly SideLine[]): Found {
  const enabled = /[\p{L}\p{N}]/u.test(typed) && typed.length >= LEAST_LETTERS;
  const threads = useQuery({
    queryKey: ["palette", "threads", typed],
    queryFn: () => get("/v1/threads", { query: { q: typed.slice(0, 200), limit: MOST } }),
    placeholderData: keepPreviousData,
    enabled,
  });
  const search = useQuery({
    queryKey: ["palette", "search", typed],
    queryFn: () => get("/v1/search", { query: { q: typed.slice(0, 200), limit: MOST } }),
    placeholderData: keepPreviousData,
    enabled,
  });
  const known = new Set(recent.map(({ id }) => id));
  const others = (enabled ? (threads.data?.threads ?? []) : []).map(lineOfThread);
  return {
    lines: [...recent, ...others.filter(({ id }) => !known.has(id))],
    finds: enabled ? (search.data?.finds ?? []) : [],
    isSearching: enabled && (search.isFetching || threads.isFetching),
  };
}
