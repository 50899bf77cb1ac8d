/** Figures as people read them: times, tokens, money, shares; pure. */

import type { Schemas } from "@/api/client";
import { compact, percent } from "../../format.ts";
import { otherCostsOf, spentOf, sumOfMoney } from "../../ui/money.ts";

type Totals = Pick<Schemas["AgentTotals"], "money" | "costs">;

/** Say what turns cost: `$1.20`, `≥ $1.20 (1 turn unknown), 2.00 EUR`. */
export function costOf(...all: readonly Totals[]): string {
  const others = new Map<string, number>();
  for (const [currency, cost] of all.flatMap(({ costs }) => Object.entries(costs ?? {}))) {
    others.set(currency, (others.get(currency) ?? 0) + cost);
  }
  const spent = spentOf(sumOfMoney(all.map(({ money }) => money)));
  return [spent, otherCostsOf(Object.fromEntries(others))].filter((part) => part !== "").join(", ");
}

/** Return the sum of a record's numbers. */
export function sumOf(counts: Readonly<Record<string, number>> | undefined): number {
  return Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
}

/** A key number of the report. */
export interface Tile {
  readonly what: string;
  readonly number: string;
  readonly note: string;
}

/** Return the key numbers, in the order in which they are read. */
export function tilesOf(report: Schemas["Report"]): readonly Tile[] {
  const ends = (what: string, of: Schemas["Ends"] | undefined): Tile => ({
    what,
    number: `${of?.ended?.completed ?? 0} of ${sumOf(of?.ended)}`,
    note: `completed · ${sumOf(of?.unfinished)} still open`,
  });
  const waiting = (report.waits ?? []).reduce((sum, wait) => sum + (wait.waiting_now ?? 0), 0);
  const repeats = report.repeats;
  const agents = report.by_agent ?? [];
  const tokens = agents.reduce(
    (sum, each) => sum + (each.input_tokens ?? 0) + (each.output_tokens ?? 0),
    0,
  );
  const isLess = agents.some(
    (each) => (each.unreported_turns ?? 0) + (each.partial_turns ?? 0) > 0,
  );
  return [
    ends("Plans", report.plans),
    ends("Tasks", report.tasks),
    ends("Flow runs", report.flow_runs),
    { what: "Waiting now", number: String(waiting), note: "for a person, a limit, or the queue" },
    {
      what: "Repeated verifications",
      number: percent(repeats?.verifications_again ?? 0, repeats?.verifications ?? 0),
      note: `of ${repeats?.verifications ?? 0} attempts`,
    },
    {
      what: "Tokens",
      number: `${isLess ? "≥ " : ""}${compact(tokens)}`,
      note: costOf(...agents) || "cost unknown",
    },
  ];
}
