import assert from "node:assert/strict";
import { test } from "node:test";
import { sendUntilConfirmed } from "../src/api/confirmation.ts";

const BUSY = { type: "treadle:not_confirmed", status: 503 };

/** An engine that answers as told, one after the other, and a clock that each answer moves on. */
function engine(answers: Response[], msOfEach = 5_000) {
  const sent: string[] = [];
  let time = 0;
  const around = {
    ask: async (request: Request) => {
      sent.push(await request.text());
      time += msOfEach;
      return (answers.length > 1 ? answers.shift() : answers[0]?.clone()) as Response;
    },
    now: () => time,
    pause: async () => {},
  };
  return { sent, around };
}

function problem(body: object): Response {
  const headers = { "Content-Type": "application/problem+json" };
  return Response.json(body, { status: 503, headers });
}

function busy(): Response {
  return problem(BUSY);
}

function command(body: unknown): Request {
  return new Request("http://engine/v1/threads/a/approvals", {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
}

test("what was not confirmed is sent again by itself, as the same command", async () => {
  const { sent, around } = engine([busy(), busy(), Response.json({ message: "done" })]);
  const answer = await sendUntilConfirmed(command({ command_id: "one" }), around);
  assert.equal(answer.status, 200);
  assert.deepEqual(sent, Array(3).fill('{"command_id":"one"}'));
});

test("it is given up after a while, and the refusal can still be read", async () => {
  const { sent, around } = engine([busy()]);
  const answer = await sendUntilConfirmed(command({ command_id: "one" }), around);
  assert.deepEqual(await answer.json(), BUSY);
  assert.ok(sent.length > 2 && sent.length < 10);
});

test("what has no id, what reads, and another refusal are sent once", async () => {
  const unnamed = engine([busy()]);
  await sendUntilConfirmed(command({}), unnamed.around);
  const read = engine([busy()]);
  await sendUntilConfirmed(new Request("http://engine/v1/inbox"), read.around);
  const away = engine([problem({ type: "treadle:unavailable" })]);
  await sendUntilConfirmed(command({ command_id: "one" }), away.around);
  assert.deepEqual(
    [unnamed, read, away].map(({ sent }) => sent.length),
    [1, 1, 1],
  );
});

test("what was accepted is asked for until it is taken, and answered when it is sent again", async () => {
  const place = "/v1/commands/one?workflow_id=a";
  const accepted = () =>
    Response.json({ status: "waiting" }, { status: 202, headers: { Location: place } });
  const taken = [accepted(), accepted(), Response.json({}), Response.json({ message: "done" })];
  const { sent, around } = engine(taken, 1_000);
  const answer = await sendUntilConfirmed(command({ command_id: "one" }), around);
  assert.deepEqual(await answer.json(), { message: "done" });
  assert.deepEqual(sent, ['{"command_id":"one"}', "", "", '{"command_id":"one"}']);
});

test("what is not taken for a while stays accepted, and is not sent again", async () => {
  const place = { Location: "/v1/commands/one?workflow_id=a" };
  const { sent, around } = engine([Response.json({}, { status: 202, headers: place })]);
  const answer = await sendUntilConfirmed(command({ command_id: "one" }), around);
  assert.equal(answer.status, 202);
  assert.equal(sent.filter((body) => body !== "").length, 1);
});

test("while the engine restarts, a command is sent again as the same command", async () => {
  const { sent, around } = engine([
    new Response("Bad Gateway", { status: 502 }),
    Response.json({ message: "done" }),
  ]);
  let isAway = true;
  const answer = await sendUntilConfirmed(command({ command_id: "one" }), {
    ...around,
    ask: async (request) => {
      if (isAway) {
        isAway = false;
        throw new TypeError("Failed to fetch");
      }
      return around.ask(request);
    },
  });
  assert.deepEqual(await answer.json(), { message: "done" });
  assert.deepEqual(sent, Array(2).fill('{"command_id":"one"}'));
});

test("an engine that stays away, a read, and what was given up by its sender are told", async () => {
  let time = 0;
  let count = 0;
  const around = (error: Error) => ({
    ask: async () => {
      count += 1;
      time += 5_000;
      throw error;
    },
    now: () => time,
    pause: async () => {},
  });
  const missed = around(new TypeError("Failed to fetch"));
  await assert.rejects(sendUntilConfirmed(command({ command_id: "one" }), missed), TypeError);
  assert.ok(count > 2 && count < 10);
  count = 0;
  await assert.rejects(sendUntilConfirmed(new Request("http://engine/v1/inbox"), missed));
  const aborted = around(new DOMException("given up", "AbortError"));
  await assert.rejects(sendUntilConfirmed(command({ command_id: "one" }), aborted));
  assert.equal(count, 2);
});
