/** Flows: the outline of steps, the conversation of a run, waits, and what stands where. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Schemas } from "@/api/client";
import type { JournaledEvent } from "@/api/events/topics";
import { transcriptFold } from "../src/conversation/projection/transcript.ts";
import { argumentsOf } from "../src/screens/agents/command_line.ts";
import { dueFold } from "../src/screens/flow_run/due.ts";
import { outlineOf, wordsOf } from "../src/screens/flows/outline.ts";
import { moveBy } from "../src/screens/queue/positions.ts";
import { layersOf } from "../src/screens/templates/layers.ts";

const RUN = "flow-triage-1";

function place(step: number, iteration: number) {
  return {
    execution: 1,
    step_index: step,
    total_steps: 3,
    loop_depth: 1,
    iteration,
    label: "Sort one",
    agent_type: "coder",
    identifier: "main",
  };
}

function events(...bodies: readonly (readonly [string, object])[]): JournaledEvent[] {
  return bodies.map(([stream, body], index) => ({
    position: index + 1,
    event: { id: `e${index}`, stream, at: "2026-11-22T16:00:00Z", body },
  })) as unknown as JournaledEvent[];
}

function queued(id: string, step: number, iteration: number): [string, object] {
  const prompt = { name: "message", fields: { text: `do ${step}` }, texts: {}, attachments: [] };
  return [
    `${RUN}/session-1`,
    { kind: "message_queued", message_id: id, prompt, by: "", place: place(step, iteration) },
  ];
}

test("a step's end stands before what the next step says", () => {
  const ended = { kind: "flow_step_ended", visit: 1, place: place(1, 0), outcome: "done" };
  const said = transcriptFold.add(
    transcriptFold.empty,
    events(queued("a", 1, 0), queued("b", 1, 1), [RUN, ended]),
  );
  assert.deepEqual(
    said.items.map((item) => item.kind),
    ["message", "line", "message"],
  );
});

test("what an agent says in a flow tells its step", () => {
  const turn_id = `${RUN}/session-1/turn-1`;
  const started = { kind: "turn_started", turn_id, number: 1, place: place(2, 0) };
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hello" } };
  const said = transcriptFold.add(
    transcriptFold.empty,
    events(
      [`${RUN}/session-1`, { ...started, prompt_name: "message", message_id: null }],
      [`${RUN}/session-1`, { kind: "agent_update", turn_id, update }],
    ),
  );
  const [speech] = said.items;
  assert.equal(speech?.kind === "speech" ? speech.flow?.step_index : null, 2);
});

test("a run waits until a step is due, and until a provider takes it", () => {
  const step = {
    kind: "flow_step_started",
    visit: 1,
    step: "wait",
    position: 0,
    place: place(0, 0),
  };
  const due = dueFold.add(null, events([RUN, { ...step, due_at: "2026-11-22T17:00:00Z" }]));
  assert.equal(due?.until, "2026-11-22T17:00:00Z");
  const delayed = {
    kind: "turn_delayed",
    turn_id: "t",
    provider: "p",
    reason: "full",
    refusals: 1,
  };
  const until = "2026-11-22T18:00:00Z";
  const held = dueFold.add(due, events([`${RUN}/session-2`, { ...delayed, until }]));
  assert.deepEqual(held, { what: "provider", until, reason: "full", session: 2 });
  assert.equal(dueFold.add(held, events([RUN, { kind: "flow_completed" }])), null);
});

test("steps in loops and branches stand further in, and ends are left out", () => {
  const kinds = [
    "llm",
    "startLoop",
    "if",
    "llm",
    "else",
    "llm",
    "endIf",
    "break",
    "endLoop",
    "llm",
  ];
  const steps = kinds.map((kind, index) => ({ kind, index })) as unknown as Schemas["FlowStep"][];
  assert.deepEqual(
    outlineOf(steps).map(({ step, depth }) => [step.kind, depth]),
    [
      ["llm", 0],
      ["startLoop", 0],
      ["if", 1],
      ["llm", 2],
      ["else", 1],
      ["llm", 2],
      ["break", 1],
      ["llm", 0],
    ],
  );
  const wait = { kind: "wait", index: 0, seconds: 7200 } as unknown as Schemas["FlowStep"];
  assert.equal(wordsOf(wait), "2 hours");
});

test("a command of Treadle's own is told by what it does", () => {
  const step = (more: object) =>
    wordsOf({ kind: "command", index: 0, command: "python3 -c …", ...more } as Schemas["FlowStep"]);
  assert.equal(step({ summary: "keep the review" }), "keep the review");
  assert.equal(step({ summary: "" }), "python3 -c …");
});

test("an entry moves by one place, and not past the ends", () => {
  const entries = ["a", "b", "c"].map((id, index) => ({ id, priority: index + 1 }));
  assert.deepEqual(moveBy(entries, "b", -1), { before: "a", priority: null });
  assert.deepEqual(moveBy(entries, "a", 1), { before: "c", priority: null });
  assert.deepEqual(moveBy(entries, "b", 1), { before: null, priority: 3 });
  assert.equal(moveBy(entries, "a", -1), null);
  assert.equal(moveBy(entries, "c", 1), null);
});

test("goals stand after all that they wait for", () => {
  const goals = [
    { id: "review", after: ["build"] },
    { id: "build", base: "research" },
    { id: "research" },
    { id: "docs" },
  ];
  assert.deepEqual(
    layersOf(goals).map((layer) => layer.map(({ id }) => id)),
    [["research", "docs"], ["build"], ["review"]],
  );
});

test("a command line is cut as a shell cuts it", () => {
  assert.deepEqual(argumentsOf(`run --name "my agent" --x='a b'`), [
    "run",
    "--name",
    "my agent",
    "--x=a b",
  ]);
});
