import assert from "node:assert/strict";
import { test } from "node:test";
import {
  EMPTY_REQUEST,
  fieldOf,
  missingIn,
  requestOf,
  threadOf,
} from "../src/screens/new_thread/request.ts";

test("a wish without goal or repository says what is missing", () => {
  assert.deepEqual(Object.keys(missingIn(EMPTY_REQUEST)), ["goal", "repository"]);
  assert.deepEqual(missingIn({ ...EMPTY_REQUEST, goal: "g", repository: "/r" }), {});
});

test("what was left empty is left to the engine", () => {
  const thread = threadOf({ ...EMPTY_REQUEST, goal: " g ", repository: " /r " });
  assert.equal(thread.goal, "g");
  assert.equal(thread.agent, null);
  assert.equal(thread.plan_files, null);
  assert.deepEqual(thread.planner, { auto_run: null });
});

test("a refusal stands at the field that it means", () => {
  assert.equal(fieldOf("too_long", "goal"), "goal");
  assert.equal(fieldOf("unusable_repository", undefined), "repository");
  assert.equal(fieldOf("out_of_range", "max_parallel_tasks"), "parallel");
  assert.equal(fieldOf("empty", "items.0.repository"), "repository");
  assert.equal(fieldOf("unavailable", undefined), "");
});

test("a draft that cannot be read is none", () => {
  assert.equal(requestOf("{broken"), EMPTY_REQUEST);
  assert.equal(requestOf('{"goal":"kept"}').goal, "kept");
});
