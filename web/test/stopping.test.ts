import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptStatusOf, verdictStatusOf } from "../src/conversation/attempt_status.ts";
import { waysToStop } from "../src/screens/thread/ways_to_stop.ts";
import { missingEvidenceOf } from "../src/ui/inbox_items.ts";

const STATE = { running: 2, atGate: 1, isPlanning: false, isWork: false };

test("aborting what runs leaves what waits at its gate, and ending does not", () => {
  const [abort, end] = waysToStop(STATE);
  assert.match(
    abort?.[2] ?? "",
    /^2 of 3 tasks in progress stop now.* 1 task waits for your approval and stays\.$/,
  );
  assert.match(end?.[2] ?? "", /^Running tasks and those that wait for your approval are aborted/);
});

test("where everything waits at its gate there is nothing to abort", () => {
  const ways = waysToStop({ ...STATE, running: 0 });
  assert.deepEqual(
    ways.map(([verb]) => verb),
    ["End the plan"],
  );
});

test("without anything at a gate nothing is said of one", () => {
  const words = waysToStop({ ...STATE, atGate: 0 }).map(([, , consequence]) => consequence);
  assert.ok(words.every((each) => !each.includes("approval")));
});

test("an attempt without steps has not passed", () => {
  const attempt = { attempt: 1, tree: null, steps: [], is_finished: true, held: "" };
  assert.equal(attemptStatusOf(attempt), "unverified");
  assert.equal(attemptStatusOf({ ...attempt, is_finished: false }), "verifying");
  assert.equal(verdictStatusOf(true, [], ""), "unverified");
  assert.equal(verdictStatusOf(true, [{}], ""), "passed");
  assert.equal(verdictStatusOf(false, [], ""), "failed");
  assert.equal(verdictStatusOf(null, [], ""), "verifying");
});

test("a gate without steps says so in the inbox", () => {
  const none = { is_verified: true, passed: 0, failed: 0, failed_optional: 0 };
  assert.equal(missingEvidenceOf(none), "no verification steps");
  assert.equal(missingEvidenceOf({ ...none, is_verified: false }), "not verified yet");
  assert.equal(missingEvidenceOf({ ...none, passed: 1 }), "");
});
