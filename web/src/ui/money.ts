/** Amounts of money as people read them, with what is not known of them; pure. */

import type { Schemas } from "@/api/client";
import { plural } from "../format.ts";

type Money = Partial<Schemas["Money"]>;

const DOLLARS = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
const MILLIONTHS = 1_000_000;
const CENT = 0.01;

/** Return millionths of a dollar as an amount: `$1.20`; less than a cent is said to be that. */
export function dollars(millionths: number): string {
  const amount = millionths / MILLIONTHS;
  return amount > 0 && amount < CENT ? "<$0.01" : DOLLARS.format(amount);
}

/** Return what is known to be paid, in millionths of a dollar. */
export function paidOf(money: Money | undefined): number {
  return (money?.told ?? 0) + (money?.priced ?? 0);
}

/** Say what turns cost: `$1.20`, `≥ $1.20 (2 turns unknown)`, `included`; empty where nothing was to pay. */
export function spentOf(money: Money | undefined): string {
  const paid = paidOf(money);
  const unknown = money?.unknown ?? 0;
  const listed = money?.included ? ` (${dollars(money.included)} at list price)` : "";
  const turns = plural(unknown, "turn");
  const known = paid > 0 ? dollars(paid) : "";
  const partial = paid > 0 ? `≥ ${known} (${turns} unknown)` : `unknown (${turns})`;
  return [unknown > 0 ? partial : known, money?.included_turns ? `included${listed}` : ""]
    .filter((part) => part !== "")
    .join(", ");
}

/** Say what turns cost where no heading says what the figure is: `$1.20`, `cost unknown (1 turn)`. */
export function costOf(money: Money | undefined): string {
  const spent = spentOf(money);
  return spent.startsWith("unknown") ? `cost ${spent}` : spent;
}

/** Say what turns cost where there is little room: `≥ $1.20`, `cost unknown`. */
export function briefCostOf(money: Money | undefined): string {
  return costOf(money).replace(/ \([^)]*\)/g, "");
}

/** Say what agents reported in other currencies. */
export function otherCostsOf(costs: Readonly<Record<string, number>> | undefined): string {
  return Object.entries(costs ?? {})
    .filter(([currency]) => currency !== "USD")
    .map(([currency, cost]) => `${cost.toFixed(2)} ${currency}`.trim())
    .join(", ");
}

/** Return the sum of what several cost. */
export function sumOfMoney(all: readonly (Money | undefined)[]): Money {
  const sum = (name: "told" | "priced" | "included" | "included_turns" | "unknown") =>
    all.reduce((total, each) => total + (each?.[name] ?? 0), 0);
  return {
    told: sum("told"),
    priced: sum("priced"),
    included: sum("included"),
    included_turns: sum("included_turns"),
    unknown: sum("unknown"),
    prices: "",
  };
}

/** Propose a higher limit in dollars: half as much again, and more than what is spent. */
export function proposedLimit(limit: number, spent: number): number {
  const cents = Math.ceil((Math.max(limit, spent) * 1.5) / (MILLIONTHS / 100));
  return cents / 100;
}

/** Return how much of a limit is spent, and how it looks: fine, near (80 %), or reached. */
export function levelOf(spent: number, limit: number): { share: number; tone: string } {
  const share = limit > 0 ? (100 * spent) / limit : 100;
  return {
    share: Math.min(100, share),
    tone: share >= 100 ? "red" : share >= 80 ? "yellow" : "blue",
  };
}
