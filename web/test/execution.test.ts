/** Running plans: the status of tasks, their order, their line of time, moments to go back to. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TaskView, ThreadView } from "@/plans/models";
import { activityFold } from "../src/api/events/activity.ts";
import { waitingIn } from "../src/api/lines.ts";
import { checkpointAt, indexOf, stopsOf, taskOf } from "../src/execution/moments.ts";
import { scaleOf, ticksOf } from "../src/execution/scales.ts";
import { clicked, sorted } from "../src/execution/sorting.ts";
import { edgeStateOf, focusOf, tallyOf, taskStatusOf } from "../src/execution/task_status.ts";
import { unansweredWarnings } from "../src/plans/warnings.ts";
import { waitsOf } from "../src/screens/thread/waiting.ts";

function task(task_id: string, status: string, said: object = {}): TaskView {
  return {
    task_id,
    title: task_id,
    status,
    activity: "",
    doing: "",
    notes: "",
    waiting_for: "",
    questions: [],
    request: null,
    attempts: [],
    sessions: [],
    ...said,
  } as unknown as TaskView;
}

test("a task at its gate needs a person, one that verifies does not", () => {
  assert.equal(
    taskStatusOf(task("a", "running", { activity: "waiting_for_person" })).status,
    "waiting",
  );
  const verifying = taskStatusOf(task("b", "running", { activity: "verifying" }));
  assert.deepEqual([verifying.status, verifying.needsYou], ["verifying", false]);
});

test("a task that waits for its provider needs nobody", () => {
  assert.equal(
    taskStatusOf(task("a", "running", { activity: "waiting_for_provider" })).needsYou,
    false,
  );
});

test("a child thread that asks needs a person", () => {
  const activity = "waiting_for_person";
  assert.equal(taskStatusOf(task("a", "running", { activity })).needsYou, true);
});

test("why a task does not run stands in its words", () => {
  assert.equal(
    taskStatusOf(task("a", "pending", { doing: "waiting for b, c" })).why,
    "waiting for b, c",
  );
});

test("edges into running tasks move, into waiting ones do not", () => {
  assert.equal(edgeStateOf(task("a", "running")), "moving");
  assert.equal(edgeStateOf(task("a", "running", { activity: "waiting_for_person" })), "plain");
  assert.equal(edgeStateOf(task("a", "pending")), "waiting");
  assert.equal(edgeStateOf(task("a", "completed")), "done");
});

test("one looks at what runs first, else at what needs somebody", () => {
  const gate = task("gate", "running", { activity: "waiting_for_person" });
  assert.deepEqual(focusOf([task("a", "pending"), gate, task("b", "running")]), ["b"]);
  assert.deepEqual(focusOf([task("a", "pending"), gate]), ["gate"]);
});

test("a decision counts once, not for each task behind it", () => {
  const thread = {
    tasks: [task("a", "needs_decision"), task("b", "needs_decision"), task("c", "running")],
    decisions: [{ id: "look" }],
    amendments: [{ status: "open" }, { status: "approved" }],
    progress: { done: 0, total: 3 },
  };
  const { needsYou, running } = tallyOf(thread as never);
  assert.deepEqual([needsYou, running], [2, 1]);
});

test("the table is sorted by need, keeps plan order among equals, and goes back to it", () => {
  const tasks = [
    task("a", "completed"),
    task("b", "running"),
    task("c", "failed"),
    task("d", "running"),
  ];
  const ids = sorted(tasks, { column: "status", isDown: false }, () => "").map((t) => t.task_id);
  assert.deepEqual(ids, ["c", "b", "d", "a"]);
  const once = clicked({ column: "plan", isDown: false }, "status");
  const twice = clicked(once, "status");
  assert.deepEqual(
    [once.isDown, twice.isDown, clicked(twice, "status").column],
    [false, true, "plan"],
  );
});

const MINUTE = 60_000;

test("a line of time keeps order and ends at 0 and 1", () => {
  const scale = scaleOf([0, MINUTE, 2 * MINUTE, 4 * MINUTE]);
  assert.equal(scale.place(0), 0);
  assert.equal(scale.place(4 * MINUTE), 1);
  assert.equal(scale.place(2 * MINUTE), 0.5);
  assert.equal(scale.breaks.length, 0);
});

test("a silence of two days is folded, and the work around it stays legible", () => {
  const days = 48 * 60 * MINUTE;
  const scale = scaleOf([0, 2 * MINUTE, days, days + 2 * MINUTE]);
  assert.equal(scale.breaks.length, 1);
  assert.ok(scale.place(2 * MINUTE) > 0.4);
  assert.ok(scale.place(days) > scale.place(2 * MINUTE));
});

test("places never go back, whatever the moments", () => {
  for (let seed = 1; seed < 40; seed += 1) {
    const moments = Array.from({ length: seed }, (_, i) => (i * i * seed * 7919) % 10_000_000);
    const scale = scaleOf(moments);
    const places = [...moments].sort((a, b) => a - b).map((at) => scale.place(at));
    assert.ok(places.every((place, i) => place >= (places[i - 1] ?? 0) && place <= 1));
  }
});

test("marks of the clock are round, apart, and never inside of a silence", () => {
  const scale = scaleOf([0, MINUTE, 90 * MINUTE, 91 * MINUTE]);
  const ticks = ticksOf(scale, 800);
  assert.ok(ticks.length > 1 && ticks.length < 12);
  const [gap] = scale.breaks;
  assert.ok(ticks.every(({ place }) => !gap || place <= gap.from || place >= gap.to));
});

const tone = "success" as const;
const moment = (position: number) => ({
  position,
  at: "",
  stream: "t",
  kind: "merged",
  tone,
  label: "",
});
const checkpoint = (position: number, task_id: string | null) =>
  ({
    position,
    at: "",
    stream: `t/${task_id}`,
    task_id,
    commit: `c${position}`,
    label: "",
  }) as never;

test("moments and checkpoints are one line in the order of the journal", () => {
  const stops = stopsOf([moment(9), moment(3)], [checkpoint(5, "a"), checkpoint(9, "a")]);
  assert.deepEqual(
    stops.map(({ position, isCheckpoint }) => [position, isCheckpoint]),
    [
      [3, false],
      [5, true],
      [9, true],
    ],
  );
});

test("a position between two moments shows the one before it", () => {
  const stops = stopsOf([moment(3), moment(9)], []);
  assert.equal(indexOf(stops, null), 2);
  assert.equal(indexOf(stops, 8), 0);
  assert.equal(indexOf(stops, 9), 1);
  assert.equal(indexOf(stops, 1), 0);
});

test("a stream tells its task; sessions of the thread have none", () => {
  assert.equal(taskOf("t", "t/models/session-1"), "models");
  assert.equal(taskOf("t", "t/session-2"), null);
  assert.equal(taskOf("t", "t"), null);
});

test("a retry takes the newest checkpoint of its task until then", () => {
  const all = [checkpoint(2, "a"), checkpoint(4, "b"), checkpoint(6, "a")];
  assert.equal(checkpointAt(all, 5, "a")?.position, 2);
  assert.equal(checkpointAt(all, 9, "a")?.position, 6);
  assert.equal(checkpointAt(all, 1, "a"), null);
});

test("the last line of a conversation is its newest tool or sentence", () => {
  const event = (at: string, body: object) => ({ position: 1, event: { at, body } }) as never;
  const update = (said: object) => ({ kind: "agent_update", turn_id: "x", update: said });
  const state = activityFold.add(activityFold.empty, [
    event("1", { kind: "prompt_sent", turn_id: "x", text: "" }),
    event("2", update({ sessionUpdate: "tool_call", title: "pytest -q" })),
    event(
      "3",
      update({ sessionUpdate: "agent_message_chunk", content: { text: "first\nlast\n" } }),
    ),
    event("4", update({ sessionUpdate: "plan", entries: [] })),
  ]);
  assert.deepEqual(state, { turnBeganAt: "1", text: "last", at: "3" });
});

function item(kind: string, said: object = {}): Parameters<typeof waitsOf>[2][number] {
  const about = { thread_id: "t", workflow_id: "t", title: "Shop", subject: kind, plans: 1 };
  return { item_id: `t#${kind}`, kind, ...about, ...said } as unknown as Parameters<
    typeof waitsOf
  >[2][number];
}

const NOTHING_ASKED = { questions: [], requests: [], decisions: [], amendments: [], conflicts: [] };

test("what waits is what the inbox has, one entry each", () => {
  const thread = {
    thread_id: "t",
    questions: [
      { question: { session_id: "t/session-2", question_id: "q", header: "", title: "May it?" } },
    ],
    requests: [{ request: { subject: "plan", request_id: "r", title: "A plan" } }],
    decisions: [{ id: "tone", question: "How?" }],
    amendments: [
      { amendment_id: "amendment-1", status: "open", amendment: { why: "more to do" } },
      { amendment_id: "amendment-0", status: "approved", amendment: { why: "done" } },
    ],
    conflicts: [{ conflict: { task_id: "b" } }],
    children: [],
  } as unknown as ThreadView;
  const items = [
    item("plan"),
    item("question", { session_id: "t/session-2" }),
    ...["decision", "amendment", "conflict"].map((kind) => item(kind)),
    item("gate", { task_id: "a", workflow_id: "t/a" }),
    item("escalation", { task_id: "c", subject: "Search failed" }),
    item("escalation", { thread_id: "another" }),
  ];
  const waits = waitsOf(thread, "t/session-2", items);
  assert.deepEqual(
    waits.map((wait) => (wait.kind === "page" ? `${wait.word}: ${wait.href}` : wait.kind)),
    [
      ...["question", "decision", "amendment", "conflict"],
      "plan: /threads/t?panel=plan",
      "gate: /threads/t/tasks/a/review",
      "failed: /threads/t/tasks/c",
    ],
  );
  assert.equal(waits.length, waitingIn(items, ["t"]));
  const elsewhere = waitsOf(thread, "t/session-1", items);
  assert.equal(elsewhere.length, waits.length);
  assert.equal(elsewhere[0]?.kind, "decision");
});

test("a plan that alone waits has its own place only", () => {
  const thread = { thread_id: "t", ...NOTHING_ASKED, children: [] } as unknown as ThreadView;
  assert.deepEqual(waitsOf(thread, "t/session-1", [item("plan")]), []);
});

test("planning that ended without a plan is begun again where it is read", () => {
  const thread = { thread_id: "t", ...NOTHING_ASKED, children: [] } as unknown as ThreadView;
  const said = { since: "2026-01-01T00:00:00Z", reason: "The agent has stopped." };
  const [wait, ...more] = waitsOf(thread, "t/session-1", [
    item("escalation", { ...said, task_id: null }),
  ]);
  assert.deepEqual(more, []);
  assert.equal(wait?.kind === "plan again" && wait.reason, said.reason);
});

test("a child thread that waits leads to itself, in its own words", () => {
  const thread = {
    ...{ thread_id: "t", ...NOTHING_ASKED },
    children: [{ task_id: "keys", thread_id: "thread-of-keys" }],
  } as unknown as ThreadView;
  const said = { thread_id: "thread-of-keys", title: "API keys", subject: "Two tasks" };
  const [wait] = waitsOf(thread, "t/session-1", [item("plan", said), item("gate")]);
  assert.equal(wait?.name, "API keys: Two tasks");
  assert.equal(wait?.kind === "page" && wait.href, "/threads/thread-of-keys?panel=plan");
});

test("a plan's own warnings are asked for at its approval, and nowhere else", () => {
  const said = {
    warnings: ["no gate", "disk is full"],
    plans: [{ warnings: [{ text: "no gate" }] }],
  };
  assert.deepEqual(unansweredWarnings(said as unknown as ThreadView), ["disk is full"]);
});
