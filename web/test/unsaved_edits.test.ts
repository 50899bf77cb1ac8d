/** What was written and not sent: changes to plans, reviews, and answers in words. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plan, PlannedTask, ProposedPlan, ThreadView } from "@/plans/models";
import { flowRequestId, keyOf, replyId } from "../src/api/request_keys.ts";
import { takenOf } from "../src/plans/comparison.ts";
import { editedPlan, NO_EDIT } from "../src/plans/edits.ts";
import { changeLines, closedWords, currentOf, readEdit } from "../src/plans/unsaved_edits.ts";
import { requestsOf } from "../src/shell/requests.ts";
import { reviewText } from "../src/tasks/review/comments.ts";

function planned(id: string, said: Partial<PlannedTask> = {}): PlannedTask {
  return { id, title: id, description: "", depends_on: [], gate: "ask", ...said } as PlannedTask;
}

const PLAN = {
  goal: "Goal",
  approach: "",
  summary: "Two files.",
  key_risk: "none",
  tasks: [planned("left"), planned("right", { depends_on: ["left"] })],
} as unknown as Plan;

const EDIT = {
  fields: { summary: "Three files.", key_risk: "none" },
  tasks: { right: { title: "Right first", depends_on: [], gate: null } },
  removed: ["left"],
};

function proposed(revision: number, session = "session-1"): ProposedPlan {
  const request = { request_id: `plan-${revision}`, content_hash: `${revision}` };
  return { revision, session_id: session, plan: PLAN, request } as ProposedPlan;
}

function thread(plans: readonly ProposedPlan[], open: readonly number[], approved?: number) {
  const requests = plans
    .filter(({ revision }) => open.includes(revision))
    .map(({ request }) => ({ request }));
  return { plans, requests, approved: approved ?? null } as unknown as ThreadView;
}

test("what was changed in a plan reads line by line, without what is as it was", () => {
  assert.deepEqual(changeLines(PLAN, EDIT, PLAN), [
    "Summary: Three files.",
    "Task right, title: Right first",
    "Task right, depends on: none",
    "Task right, gate: from the template",
    "Remove task left.",
  ]);
});

test("changes that the plan that goes on has as well are not lost", () => {
  assert.deepEqual(changeLines(PLAN, EDIT, editedPlan(PLAN, EDIT)), []);
  assert.deepEqual(changeLines(PLAN, NO_EDIT, PLAN), []);
});

test("a kept change that cannot be read is no change", () => {
  assert.deepEqual(readEdit("{"), NO_EDIT);
  assert.deepEqual(readEdit(""), NO_EDIT);
  assert.deepEqual(readEdit(JSON.stringify(EDIT)), EDIT);
});

test("a plan takes changes while it is the newest of its planner and waits", () => {
  const [first, second] = [proposed(1), proposed(2)];
  assert.equal(closedWords(thread([first], [1]), first), "");
  assert.match(
    closedWords(thread([first, second], [2]), first),
    /^Revision 2 .* was proposed before/,
  );
  assert.equal(closedWords(thread([first, second], [2]), second), "");
});

test("why a plan takes no changes any more is said by what was decided", () => {
  const [mine, other] = [proposed(1), proposed(2, "session-2")];
  assert.match(closedWords(thread([mine, other], [], 1), mine), /^Revision 1 .* was approved/);
  assert.match(closedWords(thread([mine, other], [], 2), mine), /^Revision 2 was approved instead/);
  assert.match(closedWords(thread([mine], []), mine), /^Revision 1 .* was decided/);
  assert.equal(currentOf(thread([mine, other], [], 2), mine).revision, 2);
});

test("a review that is not sent reads as a word and its comments with their places", () => {
  const comment = { path: "a.py", line: 3, side: "new", text: "Why?" } as const;
  assert.equal(reviewText(" Smaller. ", [comment]), "Smaller.\na.py:3: Why?");
});

test("an answer in words is asked for while the inbox has its question", () => {
  const none = { requests: [], request: null, amendment: null, flow_request: null };
  const of = (item: object) => requestsOf([{ ...none, ...item } as never]);
  const flow = {
    kind: "flow_question",
    run_id: "run-1",
    flow_request: { request: { request_id: "1" } },
  };
  assert.ok(of(flow).has(keyOf("", flowRequestId("run-1", "1"))));
  const held = { kind: "review_held", thread_id: "thread-1", task_id: "greet" };
  assert.ok(of(held).has(keyOf("thread-1", replyId("greet"))));
  assert.equal(of({ ...held, kind: "gate" }).size, 0);
});

test("only the plan that was selected and read can be decided on", () => {
  const planner = (revision: number, isWaiting = true) =>
    ({ letter: "A", isWaiting, newest: proposed(revision) }) as never;
  assert.equal(takenOf([planner(1)], 1, [1, 2])?.newest?.revision, 1);
  assert.equal(takenOf([planner(1)], 1, []), undefined); // the comparison could not be read
  assert.equal(takenOf([planner(3)], 1, [3, 2]), undefined); // a newer revision came
  assert.equal(takenOf([planner(1, false)], 1, [1, 2]), undefined);
  assert.equal(takenOf([planner(1)], null, [1, 2]), undefined);
});
