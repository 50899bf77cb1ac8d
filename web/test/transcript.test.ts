/** The fold of a conversation: the same as Python's, the same however its events are cut. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { JournaledEvent } from "../src/api/events/topics.ts";
import type { Item, Transcript } from "../src/conversation/projection/items.ts";
import { transcriptFold } from "../src/conversation/projection/transcript.ts";
import { tidied } from "../src/conversation/transcript/tidy.ts";

interface Recorded {
  readonly thread_id: string;
  readonly events: readonly JournaledEvent[];
  readonly expected: {
    readonly turns: Readonly<Record<string, number>>;
    readonly own_tool_calls: Readonly<Record<string, number>>;
    readonly tasks: Readonly<Record<string, string>>;
    readonly messages: readonly string[];
    readonly said: Readonly<Record<string, string>>;
  };
}

const AT = "2026-11-22T17:00:00Z";
const FOLDER = new URL("../../tests/page/fixtures/", import.meta.url);
const RECORDED = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({
    name,
    recorded: JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as Recorded,
  }));

function foldOf(events: readonly JournaledEvent[]): Transcript {
  return transcriptFold.add(transcriptFold.empty, events);
}

function of<K extends Item["kind"]>(folded: Transcript, kind: K) {
  return folded.items.filter((item) => item.kind === kind) as Extract<Item, { kind: K }>[];
}

for (const { name, recorded } of RECORDED) {
  const { events, expected } = recorded;
  const ofStream = (stream: string) =>
    foldOf(events.filter(({ event }) => event.stream === stream));

  test(`${name}: turns, calls and words of each session are those that Python folds`, () => {
    for (const [session, turns] of Object.entries(expected.turns)) {
      const talk = ofStream(session);
      const ended = of(talk, "turn").length + (talk.open === null ? 0 : 1);
      assert.equal(ended, turns, session);
      const said = expected.said[session] ?? "";
      const words = of(talk, "speech").filter((item) => !item.isThought);
      assert.equal(said.split("\nThe agent:\n").length - 1, words.length, session);
      for (const { text } of words) {
        assert.ok(said.includes(text.replace(/^\n+|\n+$/g, "")), `${session}: ${text}`);
      }
      const titles = [...said.matchAll(/^- tool `(.*?)` completed$/gm)].map((found) => found[1]);
      const tools = of(talk, "tool").filter((item) => item.status === "completed");
      assert.ok(tools.length >= titles.length, session);
    }
  });

  test(`${name}: people's messages are in it, all sent`, () => {
    const messages = Object.keys(expected.turns).flatMap((session) =>
      of(ofStream(session), "message"),
    );
    assert.deepEqual(messages.map((item) => item.text).toSorted(), expected.messages.toSorted());
    assert.ok(messages.every((item) => item.state === "sent"));
  });

  test(`${name}: the newest line of each task says its status`, () => {
    const lines = of(ofStream(recorded.thread_id), "line");
    for (const [task, status] of Object.entries(expected.tasks)) {
      const about = lines.filter((line) => line.text.startsWith(`Task ${task} ${status}`));
      assert.ok(about.length > 0 || status === "pending", `${task} ${status}`);
    }
  });

  test(`${name}: however its events are cut, it is the same`, () => {
    const whole = foldOf(events);
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    for (let round = 0; round < 20; round += 1) {
      let folded = transcriptFold.empty;
      let rest = events;
      while (rest.length > 0) {
        const size = 1 + Math.floor(random() * (round < 2 ? 1 : 40));
        folded = transcriptFold.add(folded, rest.slice(0, size));
        rest = rest.slice(size);
      }
      assert.deepEqual(folded, whole);
    }
  });

  test(`${name}: every event is read`, () => {
    assert.deepEqual(
      of(foldOf(events), "unknown").map((item) => item.name),
      [],
    );
  });
}

function event(position: number, body: object): JournaledEvent {
  const at = "2026-11-22T15:50:00Z";
  const own = { id: String(position), stream: "thread-x/session-1", at, body };
  return { position, event: own } as unknown as JournaledEvent;
}

function update(position: number, said: object): JournaledEvent {
  return event(position, { kind: "agent_update", turn_id: "t", update: said });
}

test("an event of an unknown kind, and one that lacks fields, are shown as they came", () => {
  const talk = foldOf([
    event(1, { kind: "something_new", a: 1 }),
    event(2, { kind: "turn_ended" }),
    update(3, { sessionUpdate: "a_new_update" }),
  ]);
  assert.deepEqual(
    of(talk, "unknown").map((item) => item.name),
    ["something_new", "turn_ended", "a_new_update"],
  );
});

test("any other event is a line of its text, and one without a text is left out", () => {
  const text = { summary: "Plan paused", details: "", tone: "highlight", milestone: "" };
  const talk = foldOf([
    { ...event(1, { kind: "plan_status_changed" }), text } as JournaledEvent,
    { ...event(2, { kind: "turn_usage_updated" }), text: null },
  ]);
  assert.deepEqual(
    talk.items.map((item) => [item.kind, "text" in item && item.text]),
    [["line", "Plan paused"]],
  );
});

test("a message that goes to the work is shown there, and one that is withdrawn where it was", () => {
  const queued = (position: number, id: string) =>
    event(position, {
      kind: "message_queued",
      message_id: id,
      by: "ada",
      prompt: { name: "message", fields: { text: id }, by: "ada", attachments: [] },
    });
  const talk = foldOf([
    queued(1, "to the work"),
    queued(2, "not sent"),
    event(3, { kind: "message_withdrawn", message_id: "to the work", is_for_work: true }),
    event(4, { kind: "message_withdrawn", message_id: "not sent", is_for_work: false }),
  ]);
  assert.deepEqual(
    of(talk, "message").map((item) => [item.text, item.state]),
    [["not sent", "withdrawn"]],
  );
});

test("updates of a tool call change what they hold and nothing else", () => {
  const talk = foldOf([
    update(1, { sessionUpdate: "tool_call", toolCallId: "c", title: "make", kind: "execute" }),
    update(2, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" } }),
    update(3, { sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" }),
  ]);
  const [tool] = of(talk, "tool");
  assert.equal(tool?.title, "make");
  assert.equal(tool?.status, "failed");
  assert.equal(talk.items.length, 2);
});

test("ten thousand tool calls fold in a blink", () => {
  const events = Array.from({ length: 10_000 }, (_, index) =>
    update(index + 1, { sessionUpdate: "tool_call", toolCallId: `c${index}`, title: "make" }),
  );
  const began = performance.now();
  assert.equal(foldOf(events).items.length, 10_000);
  assert.ok(performance.now() - began < 1000);
});

test("what a person said to a coordinator is theirs, though it is told with all that is known", () => {
  const prompt = { ...promptOf("coordinator", "how is it going?"), by: "root" };
  const talk = foldOf([
    eventOf({ kind: "message_queued", message_id: "m-1", by: "root", prompt }, 0),
  ]);
  assert.deepEqual(
    of(talk, "message").map(({ text, by }) => [text, by]),
    [["how is it going?", "root"]],
  );
});

test("what Treadle told the agent keeps its text where a short message stands in it", () => {
  const bodies = [
    { kind: "message_queued", message_id: "m-1", by: "", prompt: promptOf("message", "ok") },
    { kind: "turn_started", turn_id: "t-1", number: 1, message_id: "m-1" },
    { kind: "prompt_sent", turn_id: "t-1", text: "ok" },
    { kind: "message_queued", message_id: "m-2", by: "", prompt: promptOf("planner-feedback", "") },
    { kind: "turn_started", turn_id: "t-2", number: 2, message_id: "m-2" },
    { kind: "prompt_sent", turn_id: "t-2", text: "Look again: it is broken." },
  ];
  const talk = foldOf(bodies.map(eventOf));
  assert.deepEqual(
    of(talk, "prompt").map(({ text }) => text),
    ["Look again: it is broken."],
  );
  assert.deepEqual(
    of(talk, "message").map(({ text }) => text),
    ["ok"],
  );
});

function promptOf(name: string, text: string) {
  return { name, fields: text === "" ? {} : { text }, texts: {}, attachments: [] };
}

function eventOf(body: object, index: number): JournaledEvent {
  const event = { stream: "thread-1/session-1", sequence: index + 1, at: AT, body };
  return { position: index + 1, event } as unknown as JournaledEvent;
}

test("what is older can be let go of, and the talk goes on as before", () => {
  const { events } = RECORDED[0]?.recorded ?? { events: [] };
  const half = Math.floor(events.length / 2);
  const [first, then] = [events.slice(0, half), events.slice(half)];
  const position = foldOf(first).items.at(-3)?.position ?? 0;
  const whole = foldOf(events);
  const cut = transcriptFold.add(transcriptFold.cut(foldOf(first), position), then);
  assert.ok(cut.items.length < whole.items.length);
  assert.deepEqual(cut, transcriptFold.cut(whole, position));
});

test("a task's stream repeats no turn of its sessions, and its messages count as sent", () => {
  const [task, session] = ["thread-a/t1", "thread-a/t1/session-1"];
  const event = (stream: string, body: object, position: number) =>
    ({ position, event: { stream, at: AT, body }, text }) as unknown as JournaledEvent;
  const text = { summary: "session-1 opened: chat, one", details: "", tone: "info" };
  const result = { turn_id: `${session}/turn-1`, stop_reason: "end_turn" };
  const prompt = { name: "message", fields: { text: "no short option" }, attachments: [] };
  const bodies: readonly (readonly [string, object])[] = [
    [task, { kind: "message_queued", session_id: "", message_id: "message-1", prompt, by: "ada" }],
    [task, { kind: "turn_started", session_id: session, turn_id: result.turn_id, number: 1 }],
    [session, { kind: "turn_ended", session_id: session, result }],
    [task, { kind: "turn_ended", session_id: session, result }],
    [task, { kind: "conversation_opened", session_id: session, role: "chat", agent: "one" }],
  ];
  const folded = foldOf(bodies.map(([stream, body], index) => event(stream, body, index + 1)));
  assert.deepEqual(
    folded.items.map((item) => item.kind),
    ["message", "turn", "notes"],
  );
  assert.equal(of(folded, "message")[0]?.state, "sent");
  assert.equal(folded.open, null);
});

const PLACE = { at: AT, session: null } as const;
const line = (position: number, text: string): Item => ({
  ...{ ...PLACE, key: `${position}`, position },
  ...{ kind: "notes", lines: [text] },
});
const prompt = (position: number, state: "sent" | "queued" = "sent"): Item => ({
  ...{ ...PLACE, key: `${position}`, position },
  ...{ kind: "prompt", messageId: "", name: "plan", text: "Plan", state },
});
const message = (position: number, messageId: string, text: string): Item => ({
  ...{ ...PLACE, key: `${position}`, position },
  ...{ kind: "message", messageId, text, by: "ann", state: "sent", attachments: [] },
});

test("what starts an agent is one line, which stays the same as long as its parts do", () => {
  const groups = new WeakMap();
  const items: Item[] = [line(1, "opened"), line(2, "sandbox"), prompt(3), message(4, "m", "Hi")];
  const [setup, said] = tidied(items, groups);

  assert.equal(setup?.kind, "setup");
  assert.equal(said, items[3]);
  assert.equal(tidied([...items, line(5, "alone")], groups)[0], setup);
  assert.deepEqual(
    tidied([...items, line(5, "alone"), prompt(6, "queued")], groups).map(({ kind }) => kind),
    ["setup", "message", "notes", "prompt"],
  );
});

test("a goal is what the person said, once", () => {
  const goal = message(1, "goal", "Add a flag");
  const again = message(5, "c-1", "Add a flag ");

  assert.deepEqual(tidied([goal, prompt(2)], new WeakMap()), [goal, prompt(2)]);
  assert.deepEqual(tidied([goal, again], new WeakMap()), [again]);
});
