import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import {
  blockersOf,
  checksOf,
  type Layer,
  linkOf,
  obstacleOf,
  reviewsOf,
  reworksOf,
  sortedChecks,
  stateOf,
  sumOf,
  type WatchedPullRequest,
} from "../src/screens/thread/pull_request.ts";
import { moduleOf, rendered } from "./rendered.ts";

const HEAD = "c".repeat(40);
const ANN = { id: "2", login: "ann", is_bot: false };

function found(more: object = {}): WatchedPullRequest {
  return {
    workflow_id: "thread-a/publication/7",
    number: 7,
    url: "https://forge.example/o/r/pull/7",
    status: "open",
    is_watched: true,
    title: "Greet",
    head: "treadle/greet",
    head_commit: HEAD,
    base: "main",
    merge_commit: "",
    is_draft: false,
    will_merge_itself: false,
    mergeability: "clean",
    checks: [],
    reviews: [],
    threads: [],
    items: [],
    merging: { is_asking: false, is_waiting: false },
    policy: { merge_method: "squash", max_rework_usd: 0, stack_base: "" },
    rework: null,
    ended_reworks: [],
    rework_usd: 0,
    ...more,
  } as unknown as WatchedPullRequest;
}

function check(name: string, state: string, url = "") {
  return { id: name, name, state, url, summary: "", has_log: false };
}

test("only an address over TLS is a link", () => {
  assert.equal(linkOf("https://forge.example/1"), "https://forge.example/1");
  for (const url of ["javascript:alert(1)", "http://forge.example", "", undefined]) {
    assert.equal(linkOf(url), null);
  }
});

test("why it cannot be merged is said", () => {
  assert.equal(obstacleOf(found()), "");
  assert.match(obstacleOf(found({ status: "merged", is_watched: false })), /It is merged/);
  assert.match(obstacleOf(found({ is_watched: false })), /not watched/);
  assert.match(obstacleOf(found({ head_commit: "" })), /No look/);
  assert.match(obstacleOf(found({ is_draft: true })), /draft/);
});

test("all that stands before a merge is said, what the forge refuses first", () => {
  assert.deepEqual(blockersOf(found()), []);
  assert.deepEqual(blockersOf(found({ status: "merged", checks: [check("a", "failed")] })), []);
  const thread = { id: "t", path: "a.py", line: 1, comments: [] };
  const blocked = found({
    is_draft: true,
    mergeability: "conflicts",
    checks: [
      check("lint", "passed"),
      ...["a", "b", "c", "d"].map((name) => check(name, "failed")),
      check("e2e", "pending"),
    ],
    reviews: [{ id: "1", author: ANN, state: "changes_requested", commit: HEAD }],
    threads: [
      { ...thread, is_resolved: false, is_resolvable: true },
      { ...thread, is_resolved: false, is_resolvable: false },
      { ...thread, is_resolved: true, is_resolvable: true },
    ],
  });
  assert.deepEqual(
    blockersOf(blocked).map(({ text, isHard }) => [isHard, text]),
    [
      [true, "It is a draft: mark it as ready on the forge first."],
      [true, "It conflicts with the target branch."],
      [false, "4 checks failed: a, b, c and 1 more."],
      [false, "1 check still running: e2e."],
      [false, "ann requested changes."],
      [false, "1 unresolved comment."],
    ],
  );
  assert.deepEqual(
    sortedChecks(blocked).map(({ name }) => name),
    ["a", "b", "c", "d", "e2e", "lint"],
  );
});

test("reworks are listed with what became of them and what they have cost", () => {
  const ended = { by: "the policy", url: "", usd: 1.5, kind: "comment", is_by_policy: true };
  const shown = found({
    rework: { number: 3, stage: "running", by: "ada", usd: 0, item: { subject: "c", url: "" } },
    ended_reworks: [
      { ...ended, number: 1, subject: "a", commit: HEAD, reason: "" },
      { ...ended, number: 2, subject: "b", commit: "", reason: "it changed nothing", usd: 0 },
    ],
    policy: { merge_method: "squash", max_rework_usd: 5 },
    rework_usd: 1.5,
  });
  assert.deepEqual(
    reworksOf(shown).map(({ number, status, word, told }) => [number, status, word, told]),
    [
      [3, "running", "running", ""],
      [2, "failed", "not pushed", "it changed nothing"],
      [1, "completed", "pushed", "cccccccccccc, USD 1.50"],
    ],
  );
  assert.equal(sumOf(shown), ": USD 1.50 of USD 5.00");
  assert.equal(sumOf(found()), "");
});

test("checks are counted, the worst first", () => {
  const checks = [check("a", "passed"), check("b", "failed"), check("c", "passed")];
  assert.equal(checksOf(found({ checks })), "1 failed, 2 passed");
});

test("a reviewer's newest word counts", () => {
  const one = { id: "1", author: ANN, state: "changes_requested", body: "", commit: HEAD };
  const reviews = [one, { ...one, id: "2", state: "approved" }];
  assert.deepEqual(
    reviewsOf(found({ reviews })).map(({ state }) => state),
    ["approved"],
  );
});

test("who comments after requesting changes requests them still", () => {
  const review = (id: number, state: string) => ({ id: `r${id}`, author: ANN, state });
  const states = (...each: string[]) =>
    reviewsOf(found({ reviews: each.map((state, id) => review(id, state)) })).map(
      ({ state }) => state,
    );
  assert.deepEqual(states("changes_requested", "commented"), ["changes_requested"]);
  assert.deepEqual(states("commented", "approved", "commented"), ["approved"]);
  assert.deepEqual(states("commented", "commented"), ["commented"]);
});

async function html(more: object, isLive = true, stack: object[] = []): Promise<string> {
  const { PullRequest } = await moduleOf<typeof import("../src/screens/thread/PullRequest.tsx")>(
    "screens/thread/PullRequest.tsx",
  );
  const publication = { stack };
  const thread = { thread_id: "thread-a", publication } as unknown as Parameters<
    typeof PullRequest
  >[0]["thread"];
  return rendered(createElement(PullRequest, { thread, found: found(more), isLive }), []);
}

test("the button to merge names the commit that is shown", async () => {
  assert.match(await html({}), /Merge c{12}…/);
  assert.doesNotMatch(await html({ status: "merged" }), /Merge c/);
  assert.doesNotMatch(await html({}, false), /Merge c|Look now|Stop watching/);
});

test("nobody is offered to watch what is over", async () => {
  for (const status of ["merged", "closed"]) {
    assert.doesNotMatch(await html({ status, is_watched: false }), /Watch|Stop watching|Look now/);
  }
  assert.match(await html({ status: "unwatched", is_watched: false }), />Watch</);
  assert.match(await html({}), /Stop watching/);
});

test("a pull request of a stack offers no rework", async () => {
  const failed = { item_id: "a", kind: "failed_check", subject: "tests failed", advice: "look" };
  const policy = { merge_method: "squash", max_rework_usd: 0, stack_base: "main" };
  assert.match(await html({ items: [failed] }), />Rework<.*>Dismiss</s);
  const stacked = await html({ items: [failed], policy });
  assert.match(stacked, />Dismiss</);
  assert.doesNotMatch(stacked, /Rework/);
});

test("a receipt that a push made void is shown as such, beside the commit", async () => {
  const receipt = { commit: HEAD, is_void: true, is_verified: false, words: "Void: another tree" };
  const shown = await html({ receipt });
  assert.match(shown, /receipt void/);
  assert.match(shown, /Void: another tree.*c{12}/s);
  assert.match(await html({ receipt: { ...receipt, is_void: false } }), /receipt without verif/);
  assert.match(
    await html({ receipt: { ...receipt, is_void: false, is_verified: true } }),
    /receipt valid/,
  );
  assert.doesNotMatch(await html({}), /receipt/i);
});

test("text of others is quoted and does no harm", async () => {
  const body = "<script>alert(1)</script> Approve this.";
  const comments = [{ id: "1", author: ANN, body, url: "", created_at: "", edited_at: "x" }];
  const threads = [{ id: "t", path: "a.py", line: 3, is_resolved: false, comments }];
  const shown = await html({ threads, checks: [check("tests", "failed", "javascript:alert(1)")] });
  assert.match(shown, /<blockquote[^>]*>.*&lt;script&gt;alert\(1\)/s);
  assert.match(shown, /ann, edited/);
  assert.match(shown, /a\.py:3/);
  assert.doesNotMatch(shown, /href="javascript/);
});

test("a thread that is resolved is not shown", async () => {
  const comments = [{ id: "1", author: ANN, body: "Done?", url: "", created_at: "" }];
  const threads = [{ id: "t", path: "a.py", line: 3, is_resolved: true, comments }];
  assert.doesNotMatch(await html({ threads }), /Done\?/);
});

test("who publishes chooses between one pull request and a stack, which is explained", async () => {
  const { Parts } = await moduleOf<typeof import("../src/screens/thread/Parts.tsx")>(
    "screens/thread/Parts.tsx",
  );
  const shown = (value: "thread" | "tasks") =>
    rendered(createElement(Parts, { value, onChange() {} }), []);
  assert.match(shown("thread"), /selected="">One for the whole thread.*>One for each task/s);
  assert.doesNotMatch(shown("thread"), /merged from the first/);
  assert.match(shown("tasks"), /selected="">One for each task.*merged from the first/s);
});

test("a pull request of a stack is open, or why it is not", () => {
  const open = { is_merged: false, is_closed: false, trouble: "", number: 3 };
  const stateOfOne = (more: object) => stateOf({ ...open, ...more } as unknown as Layer);
  assert.equal(stateOfOne({}), "open");
  assert.equal(stateOfOne({ number: 0 }), "pending");
  assert.equal(stateOfOne({ trouble: "conflicts" }), "waiting");
  assert.equal(stateOfOne({ is_closed: true }), "closed");
  assert.equal(stateOfOne({ is_merged: true }), "merged");
});

test("a stack is listed from the first to be merged, with what keeps one back", async () => {
  const layer = { is_merged: false, is_closed: false, trouble: "", number: 0, url: "" };
  const stack = [
    { ...layer, task_id: "one", title: "Parse it", number: 6, is_merged: true },
    { ...layer, task_id: "two", title: "Use <it>", number: 7, trouble: "conflicts in app.py" },
    { ...layer, task_id: "three", title: "" },
  ];
  const shown = await html({}, true, stack);
  assert.match(shown, /Stack of 3/);
  assert.match(shown, /1\..*#6.*Parse it.*2\..*#7.*Use &lt;it&gt;.*conflicts in app\.py/s);
  assert.match(shown, /3\..*not open yet.*three/s);
  assert.doesNotMatch(await html({}), /Stack of/);
});
