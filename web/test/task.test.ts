import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { addressOf, beyond } from "../src/tasks/output.ts";
import { Palette } from "../src/tasks/palette.ts";
import { taskStory } from "../src/tasks/story.ts";

type Events = Parameters<typeof taskStory.add>[1];

let position = 0;
const at = (second: number) => `2026-11-22T14:00:${String(second).padStart(2, "0")}Z`;
const said = (second: number, body: object) =>
  ({
    position: ++position,
    event: { stream: "thread-a/t1", at: at(second), body },
  }) as unknown as Events[number];

const opened = (run: number) =>
  said(0, {
    kind: "task_opened",
    run,
    task: { id: "t1", verification: [{ id: "step-1" }] },
    agent: "one",
    max_retries: 3,
    is_gate_automatic: false,
  });

describe("the story of a task", () => {
  test("tells which step runs, and since when", () => {
    const events = [
      opened(1),
      said(1, { kind: "verification_started", attempt: 1 }),
      said(4, { kind: "verification_step_ended", attempt: 1, result: {} }),
    ];
    const { running, planned, maxAttempts } = taskStory.add(taskStory.empty, events);
    assert.deepEqual(running, { attempt: 1, startedAt: at(1), stepSince: at(4) });
    assert.equal(planned?.verification.length, 1);
    assert.equal(maxAttempts, 4);
  });

  test("keeps what went wrong over runs, and nothing else", () => {
    const events = [
      opened(1),
      said(1, { kind: "turn_started", number: 1 }),
      said(2, { kind: "turn_ended", result: { failure: "crashed", discarded: ["a"] } }),
      said(3, { kind: "verification_started", attempt: 1 }),
      {
        ...said(4, { kind: "verification_ended", attempt: 1, passed: false, held: "" }),
        text: { summary: "Verification failed", details: "", tone: "error", milestone: "" },
      } as const,
      said(5, { kind: "task_ended", end: "failed", reason: "failed 1 time" }),
      opened(2),
    ];
    const story = taskStory.add(taskStory.empty, events);
    assert.deepEqual(
      story.setbacks.map((one) => [one.kind, one.text]),
      [
        ["turn", "crashed"],
        ["attempt", "Verification failed"],
        ["end", "failed 1 time"],
      ],
    );
    assert.deepEqual([story.run, story.running, story.turn, story.discarded], [2, null, null, []]);
  });

  test("says until when a turn waits, and no longer than it does", () => {
    const delayed = said(2, {
      kind: "turn_delayed",
      provider: "p",
      reason: "busy",
      until: at(9),
      refusals: 3,
      pauses: 1,
    });
    const waits = taskStory.add(taskStory.empty, [opened(1), delayed]);
    assert.deepEqual([waits.delay?.until, waits.delay?.refusals], [at(9), 2]);
    assert.equal(taskStory.add(waits, [said(3, { kind: "turn_resumed" })]).delay, null);
  });

  test("is the same however its events are cut", () => {
    const events = [
      opened(1),
      said(1, { kind: "verification_started", attempt: 1 }),
      said(2, { kind: "verification_ended", attempt: 1, passed: true, held: "" }),
      said(3, { kind: "gate_opened", request: { request_id: "t1/gate-1-1" } }),
    ];
    const once = taskStory.add(taskStory.empty, events);
    const singly = events.reduce((state, event) => taskStory.add(state, [event]), taskStory.empty);
    assert.deepEqual(singly, once);
    assert.equal(once.gates["t1/gate-1-1"], at(3));
  });
});

describe("a terminal's output", () => {
  test("is joined without repeats, also within a character of several bytes", () => {
    assert.deepEqual(beyond(0, { position: 0, text: "grün" }), { position: 5, text: "grün" });
    assert.deepEqual(beyond(5, { position: 0, text: "grün" }), { position: 5, text: "" });
    assert.deepEqual(beyond(2, { position: 0, text: "grün" }), { position: 5, text: "ün" });
    assert.deepEqual(beyond(5, { position: 7, text: "x" }), { position: 8, text: "x" });
  });

  test("is found by the name of its stream", () => {
    assert.deepEqual(addressOf("thread-a", "thread-a/build/terminal-2"), {
      thread: "thread-a",
      kind: "tasks",
      name: "build",
      number: 2,
    });
    assert.equal(addressOf("thread-a", "thread-a/session-3/terminal-1").name, "3");
    assert.equal(addressOf("thread-a", "thread-a/build/service-12").number, 12);
  });
});

describe("colours of 24 bits", () => {
  const red = "\u001b[1;38;2;255;0;0mx\u001b[0m";

  test("become those of the palette", () => {
    assert.equal(new Palette().take(red), "\u001b[1;38;5;196mx\u001b[0m");
    assert.equal(new Palette().take("\u001b[48:2::8:8:8m"), "\u001b[48;5;232m");
    assert.equal(new Palette().take("\u001b[32mok\u001b[0m"), "\u001b[32mok\u001b[0m");
  });

  test("are the same however the text is cut", () => {
    for (let at = 1; at < red.length; at++) {
      const palette = new Palette();
      assert.equal(
        palette.take(red.slice(0, at)) + palette.take(red.slice(at)),
        new Palette().take(red),
      );
    }
  });
});
