/** What the turns of a task took, in words; pure. */

import type { Schemas } from "@/api/client";
import { formatDuration, plural } from "../format.ts";
import { otherCostsOf, spentOf } from "../ui/money.ts";

type Stats = Pick<
  Schemas["TaskStats"],
  | "prompt_tokens"
  | "completion_tokens"
  | "cached_tokens"
  | "tool_calls"
  | "duration_seconds"
  | "costs"
> & { readonly money?: Partial<Schemas["Money"]> };

/** Say tokens as an agent reported them: `16,500 tokens in (11,000 cached), 630 out`. */
export function tokensOf(put: number, cached: number, out: number): string {
  const saved = cached > 0 ? ` (${cached.toLocaleString("en")} cached)` : "";
  return `${put.toLocaleString("en")} tokens in${saved}, ${out.toLocaleString("en")} out`;
}

/** Say what turns took, an empty text where nothing is known. */
export function usageOf(stats: Stats): string {
  const { prompt_tokens: put, cached_tokens: cached, completion_tokens: out } = stats;
  if (put + cached + out + stats.tool_calls + stats.duration_seconds === 0) {
    return "";
  }
  const spent = spentOf(stats.money);
  return [
    plural(stats.tool_calls, "tool call"),
    `${formatDuration(stats.duration_seconds * 1000)} of work`,
    put + cached + out > 0 ? tokensOf(put, cached, out) : "",
    spent === "" ? "" : `cost ${spent}`,
    otherCostsOf(stats.costs),
  ]
    .filter((fact) => fact !== "")
    .join(", ");
}

/** Say what a task took: its turns that ended, and the one that runs. */
export function taskUsageOf(task: {
  stats: Stats;
  sessions: readonly { so_far: Stats }[];
}): string {
  const running = task.sessions.map((session) => usageOf(session.so_far)).filter(Boolean);
  const ended = usageOf(task.stats);
  const known = [ended, ...running.map((spent) => `current turn so far: ${spent}`)];
  return known.filter(Boolean).join("; ") || "available after the first turn";
}
