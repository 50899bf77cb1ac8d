/** Usage of turns, as agents report it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { taskUsageOf, tokensOf } from "../src/conversation/usage.ts";
import { briefCostOf, costOf, dollars, otherCostsOf, spentOf } from "../src/ui/money.ts";

const NONE = {
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  tool_calls: 0,
  duration_seconds: 0,
  costs: {},
};

test("cached tokens are shown beside input tokens", () => {
  assert.equal(tokensOf(16500, 11000, 630), "16,500 tokens in (11,000 cached), 630 out");
  assert.equal(tokensOf(2000, 0, 450), "2,000 tokens in, 450 out");
});

test("a task shows the usage of its current turn", () => {
  assert.equal(taskUsageOf({ stats: NONE, sessions: [] }), "available after the first turn");
  const running = {
    so_far: { ...NONE, tool_calls: 7, duration_seconds: 930, money: { told: 30_000 } },
  };
  assert.equal(
    taskUsageOf({ stats: NONE, sessions: [running] }),
    "current turn so far: 7 tool calls, 15m of work, cost $0.03",
  );
});

test("what is not known of a cost is said", () => {
  const money = { told: 1_000_000, priced: 200_000, unknown: 2 };
  assert.equal(spentOf(money), "≥ $1.20 (2 turns unknown)");
  assert.equal(spentOf({ unknown: 1 }), "unknown (1 turn)");
  assert.equal(spentOf({ told: 1_200_000 }), "$1.20");
  assert.equal(spentOf({}), "");
  assert.equal(spentOf(undefined), "");
});

test("where no heading says what a figure is, an unknown cost says it", () => {
  const money = { told: 1_000_000, unknown: 2 };
  assert.equal(costOf({ unknown: 1 }), "cost unknown (1 turn)");
  assert.equal(briefCostOf({ unknown: 1 }), "cost unknown");
  assert.equal(costOf(money), "≥ $1.00 (2 turns unknown)");
  assert.equal(briefCostOf(money), "≥ $1.00");
  assert.equal(briefCostOf(undefined), "");
});

test("turns on a flat plan are included, with their list price", () => {
  assert.equal(spentOf({ included_turns: 3 }), "included");
  const both = { told: 500_000, included: 400_000, included_turns: 1 };
  assert.equal(spentOf(both), "$0.50, included ($0.40 at list price)");
});

test("small and large amounts are readable", () => {
  assert.equal(dollars(1), "<$0.01");
  assert.equal(dollars(1_234_567_890_000), "$1,234,567.89");
  assert.equal(otherCostsOf({ EUR: 2, USD: 1 }), "2.00 EUR");
});
