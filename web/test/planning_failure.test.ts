/** Why planning failed, in short and as a list. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutOwnWords } from "../src/ui/ansi.ts";
import { planningFailureOf } from "../src/ui/planning_failure.ts";

test("the problems of a refused plan are a list again, without what only its planner is told", () => {
  const told = planningFailureOf(
    "the planner ended 3 turns without a plan that could be taken; the last reason: the plan has " +
      "2 problems; fix all of them and propose the whole plan again: - task 'A - B': bad_id: use " +
      "lowercase letters - task 'A - B': missing_field: the title is empty",
  );
  assert.equal(told.short, "the planner ended 3 turns without a plan that could be taken");
  assert.equal(told.cause, "the plan has 2 problems");
  assert.deepEqual(told.problems, [
    "task 'A - B': bad_id: use lowercase letters",
    "task 'A - B': missing_field: the title is empty",
  ]);
});

test("a reason that has no list stays as it is", () => {
  assert.deepEqual(planningFailureOf("the agent did not start"), {
    short: "the agent did not start",
    cause: "",
    problems: [],
  });
});

test("what Treadle added to an output is told from it", () => {
  const hint =
    "(It ran on a clean checkout of the commit, without files that git ignores. Commit it.)";
  assert.deepEqual(withoutOwnWords(`no such file\n${hint}`), ["no such file\n", hint]);
  assert.deepEqual(withoutOwnWords(hint), ["", hint]);
  assert.deepEqual(withoutOwnWords("ok\n"), ["ok\n", ""]);
});
