/** What candidates came to, in words, and what is put together of them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentOf,
  checksOf,
  columnsOf,
  filesOf,
  findingsOf,
  gitDiff,
  partsOf,
  shortTokensOf,
} from "../src/tasks/contest/rows.ts";

const CANDIDATE = {
  attempts: 1,
  passed: 2,
  failed: ["tests"],
  findings: { major: 1, minor: 2 },
} as unknown as Parameters<typeof checksOf>[0];

const CANDIDATE_READ = {
  ...CANDIDATE,
  commit: "",
  work_ms: 0,
  stats: { prompt_tokens: 16_500, completion_tokens: 630 },
} as unknown as typeof CANDIDATE;

test("an agent is named with its model", () => {
  assert.equal(agentOf({ agent: "codex" }), "codex");
  assert.equal(agentOf({ agent: "treadle", model: "qwen3:8b" }), "treadle:qwen3:8b");
});

test("checks and findings are counted, and none are said of what was not verified", () => {
  assert.equal(checksOf(CANDIDATE), "2 passed, failed: tests");
  assert.equal(findingsOf(CANDIDATE), "1 major, 2 minor");
  assert.equal(checksOf({ ...CANDIDATE, attempts: 0 }), "");
});

test("a column that says nothing of any candidate is left out", () => {
  const stats = { prompt_tokens: 0, completion_tokens: 0, money: { told: 250_000 } };
  const one = { ...CANDIDATE, findings: {}, commit: "c", files: 2, work_ms: 2000, stats };
  const heads = (...all: unknown[]) => columnsOf(all as (typeof CANDIDATE)[]).map(([head]) => head);
  assert.deepEqual(heads(one), ["Checks", "Changes", "Time", "Cost"]);
  assert.deepEqual(heads(one, CANDIDATE_READ), [
    "Checks",
    "Findings",
    "Changes",
    "Time",
    "Tokens",
    "Cost",
  ]);
  assert.equal(shortTokensOf(CANDIDATE_READ), "17K in, 630 out");
});

test("files are listed once, and what is of the first is no part", () => {
  assert.deepEqual(filesOf([["b", "a"], ["b"]]), ["a", "b"]);
  const picks = { "x.py": "app.a", "y.py": "app.b", "z.py": "app.a" };
  assert.deepEqual(partsOf("app.b", picks), [{ candidate: "app.a", files: ["x.py", "z.py"] }]);
});

test("with a renamed file goes its old name, unless that is picked of somebody", () => {
  const wasOf = (candidate: string, file: string) =>
    candidate === "app.a" && file === "new.py" ? "old.py" : null;
  assert.deepEqual(partsOf("app.b", { "new.py": "app.a" }, wasOf), [
    { candidate: "app.a", files: ["new.py", "old.py"] },
  ]);
  const picks = { "new.py": "app.a", "old.py": "app.c" };
  assert.deepEqual(partsOf("app.b", picks, wasOf), [
    { candidate: "app.a", files: ["new.py"] },
    { candidate: "app.c", files: ["old.py"] },
  ]);
  assert.deepEqual(partsOf("app.a", { "new.py": "app.a" }, wasOf), []);
});

test("what the page has not all of is shown by git, between the commits of the candidate", () => {
  const source = { commit: "c".repeat(40), base: "b".repeat(40) };
  assert.equal(gitDiff(source, "it's"), `git diff bbbbbbbbbbbb cccccccccccc -- 'it'\\''s'`);
  assert.equal(gitDiff({ ...source, base: "" }, "a"), "git show cccccccccccc -- 'a'");
});
