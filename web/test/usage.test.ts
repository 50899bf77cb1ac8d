/** Usage of turns, as agents report it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { taskUsageOf, tokensOf } from "../src/conversation/usage.ts";

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
    so_far: { ...NONE, tool_calls: 7, duration_seconds: 930, costs: { USD: 0.03 } },
  };
  assert.equal(
    taskUsageOf({ stats: NONE, sessions: [running] }),
    "current turn so far: 7 tool calls, 15m of work, 0.03 USD",
  );
});
