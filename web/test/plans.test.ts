/** Plans in words: consequences, changes, edits, comparisons, planners. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plan, PlannedTask, ThreadView } from "@/plans/models";
import { othersWords, rowsOf } from "../src/plans/comparison.ts";
import { consequencesOf, wordsOf } from "../src/plans/consequences.ts";
import { dependencyProblem, editedPlan, idsOf, NO_EDIT } from "../src/plans/edits.ts";
import { effectOf } from "../src/plans/effects.ts";
import { letterOfPlan, plannersOf } from "../src/plans/planners.ts";
import { changeWords, problemsOf } from "../src/plans/wordings.ts";

function task(id: string, said: Partial<PlannedTask> = {}): PlannedTask {
  return {
    id,
    title: id.toUpperCase(),
    description: "",
    mode: "code",
    runs_as: "task",
    depends_on: [],
    area: [],
    ports: [],
    terminals: [],
    verification: [],
    skips_template_steps: false,
    skip_steps: [],
    allowed_tools: [],
    denied_tools: [],
    prompt_suffix: "",
    gate: "ask",
    ...said,
  } as PlannedTask;
}

function plan(...tasks: PlannedTask[]): Plan {
  return {
    goal: "Goal",
    approach: "",
    summary: "",
    considerations: [],
    key_risk: "",
    tasks,
    decisions: [],
    verification: [],
  };
}

const fan = plan(
  task("survey", { gate: "auto" }),
  task("left", { depends_on: ["survey"], ports: [{ id: "api", description: "" }] }),
  task("right", { depends_on: ["survey"], agent: "rival", model: "m1", plan_approval: "user" }),
);

test("consequences say work, width, agents, ports, and where it stops for a person", () => {
  const found = consequencesOf(fan, "scripted");
  assert.equal(found.width, 2);
  assert.deepEqual(found.gates, ["left", "right"]);
  assert.deepEqual(found.planned, ["right"]);
  assert.deepEqual(found.agents, ["scripted", "rival m1"]);
  assert.match(
    wordsOf(found).join(" · "),
    /^3 tasks, 2 in parallel · asks for your approval of left, right/,
  );
});

test("a plan without gates says that it merges without asking", () => {
  const words = wordsOf(consequencesOf(plan(task("a", { gate: "auto" })), "scripted"));
  assert.ok(words.includes("merges without approval"));
});

test("a plan without tasks is one piece of work of the thread's agent", () => {
  const found = consequencesOf(plan(), "scripted");
  assert.deepEqual(found.agents, ["scripted"]);
  assert.equal(wordsOf(found)[0], "a single task in this thread");
  const asks = wordsOf({ ...found, gates: ["the-work"] });
  assert.ok(asks.includes("asks for your approval of the work"));
});

test("changes are said as signs, ids and fields", () => {
  const words = changeWords({
    fields: [{ field: "approach", before: "a", after: "b" }],
    tasks: [
      { sign: "+", id: "t7", title: "T7", fields: [] },
      { sign: "-", id: "t4", title: "T4", fields: [] },
      { sign: "~", id: "t5", title: "T5", fields: [{ field: "deps", before: "", after: "t7" }] },
    ],
    decisions: [],
    is_reordered: false,
  });
  assert.equal(words, "+ t7, − t4, ~ t5 (deps), ~ approach");
});

test("an edit changes only what it names", () => {
  const edited = editedPlan(fan, { ...NO_EDIT, tasks: { left: { title: "New" } } });
  assert.equal(edited.tasks[1]?.title, "New");
  assert.deepEqual(edited.tasks[2], fan.tasks[2]);
});

test("what waited for a removed task waits for what that one waited for", () => {
  const chain = plan(task("a"), task("b", { depends_on: ["a"] }), task("c", { depends_on: ["b"] }));
  const edited = editedPlan(chain, { ...NO_EDIT, removed: ["b"] });
  assert.deepEqual(
    edited.tasks.map(({ id, depends_on }) => [id, depends_on]),
    [
      ["a", []],
      ["c", ["a"]],
    ],
  );
});

test("removed tasks in a circle do not hang an edit", () => {
  const circle = plan(
    task("a", { depends_on: ["b"] }),
    task("b", { depends_on: ["a"] }),
    task("c", { depends_on: ["a"] }),
  );
  assert.deepEqual(
    editedPlan(circle, { ...NO_EDIT, removed: ["a", "b"] }).tasks[0]?.depends_on,
    [],
  );
});

test("typed ids are read with commas or spaces, and wrong ones are told", () => {
  assert.deepEqual(idsOf(" a, b  c,a "), ["a", "b", "c"]);
  assert.equal(dependencyProblem("a", ["a"], ["a", "b"]), "a task cannot depend on itself");
  assert.equal(dependencyProblem("a", ["x"], ["a", "b"]), "no such task: x");
  assert.equal(dependencyProblem("a", ["b"], ["a", "b"]), "");
});

test("problems of a refused plan stand at the task that they are about", () => {
  const detail = [
    "the plan has 2 problems; fix all of them and propose the whole plan again:",
    "- task 'left', title: too_long: 9 bytes, at most 8",
    "- plan: conflict: verification",
  ].join("\n");
  const { byTask, others } = problemsOf(detail, ["left", "right"]);
  assert.deepEqual(byTask.get("left"), ["title: too_long: 9 bytes, at most 8"]);
  assert.equal(others.length, 2);
});

test("a comparison marks what differs and leaves out what no plan says", () => {
  const summary = {
    revision: 1,
    planner: "scripted",
    approach: "one",
    summary: "",
    key_risk: "",
    tasks: 3,
    child_threads: 0,
    decisions: 0,
    warnings: 0,
    parallel_groups: [["survey"], ["left", "right"]],
    critical_path: ["survey", "left"],
    files: [],
    cost: { known: 0 },
  };
  const other = { ...summary, revision: 2, approach: "two" };
  const rows = rowsOf(
    [
      { summary, plan: fan },
      { summary: other, plan: fan },
    ],
    "scripted",
  );
  assert.deepEqual(
    rows.filter(({ isEqual }) => !isEqual).map(({ label }) => label),
    ["Approach"],
  );
  assert.ok(!rows.some(({ label }) => label === "Key risk"));
});

test("selecting a plan says what happens to the others", () => {
  const words = othersWords([
    { letter: "B", isWorking: false },
    { letter: "C", isWorking: true },
  ]);
  assert.equal(words, "B is closed · C stops planning · all plans stay available");
});

function thread(): ThreadView {
  const session = (session_id: string, said: object = {}) => ({
    session_id,
    role: "planner",
    agent: "scripted",
    model: null,
    is_archived: false,
    is_working: false,
    ...said,
  });
  const proposed = (revision: number, session_id: string) => ({
    revision,
    session_id,
    request: { request_id: `plan-${revision}`, content_hash: String(revision) },
  });
  return {
    sessions: [
      session("t/session-1"),
      session("t/session-2", { agent: "rival", model: "m" }),
      session("t/session-3", { is_working: true }),
      session("t/session-4", { role: "chat" }),
    ],
    plans: [proposed(1, "t/session-1"), proposed(2, "t/session-2"), proposed(3, "t/session-1")],
    requests: [{ request: { request_id: "plan-3" } }, { request: { request_id: "plan-2" } }],
  } as unknown as ThreadView;
}

test("planners keep their letters, and show their newest revision", () => {
  const planners = plannersOf(thread());
  assert.deepEqual(
    planners.map(({ letter, name, newest, isWaiting }) => [
      letter,
      name,
      newest?.revision ?? null,
      isWaiting,
    ]),
    [
      ["A", "scripted", 3, true],
      ["B", "rival m", 2, true],
      ["C", "scripted", null, false],
    ],
  );
  const second = thread().plans[1];
  assert.equal(second && letterOfPlan(thread(), second), "B");
});

test("an amendment says what it aborts, what continues, and what is never changed", () => {
  const amendment = {
    status: "open",
    amendment: { changes: [{ change: "abort", task_id: "b", reason: "" }], decisions: [] },
  };
  const tasks = [
    { task_id: "a", status: "completed" },
    { task_id: "b", status: "running" },
    { task_id: "c", status: "running" },
  ];
  const effect = effectOf(amendment as never, tasks as never);
  assert.deepEqual(effect.locked, ["a"]);
  assert.deepEqual(effect.words.slice(0, 2), [
    "aborts 1 task in progress (b)",
    "1 task in progress continues",
  ]);
});
