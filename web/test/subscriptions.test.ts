import assert from "node:assert/strict";
import { test } from "node:test";
import {
  mergeSubscriptions,
  pauseBefore,
  planConnection,
} from "../src/api/events/subscriptions.ts";

test("topics of all tabs are joined, each from the tab that is furthest behind", () => {
  assert.deepEqual(mergeSubscriptions([{ inbox: 7 }, { inbox: 3, "thread:a": 9 }, {}]), {
    inbox: 3,
    "thread:a": 9,
  });
});

test("a first connection begins where the topic furthest behind stands", () => {
  assert.deepEqual(planConnection({ inbox: 5, "thread:a": 2 }, new Set(), 0), {
    topics: ["inbox", "thread:a"],
    after: 2,
  });
});

test("nothing is opened again for topics that are read already, or wanted no more", () => {
  const present = new Set(["inbox", "thread:a"]);
  assert.equal(planConnection({ inbox: 5 }, present, 40), null);
});

test("a topic more is read from its own position, so that nothing of it is missed", () => {
  const present = new Set(["inbox"]);
  assert.equal(planConnection({ inbox: 40, "thread:a": 12 }, present, 40)?.after, 12);
});

test("a topic ahead of the connection does not make the others skip", () => {
  const present = new Set(["inbox"]);
  assert.equal(planConnection({ inbox: 40, "thread:a": 99 }, present, 40)?.after, 40);
});

test("pauses double to fifteen seconds", () => {
  assert.deepEqual([1, 2, 3, 5, 6, 20].map(pauseBefore), [500, 1000, 2000, 8000, 15_000, 15_000]);
});

test("a reader that came after an event had gone by gets it again", () => {
  const present = new Set(["thread:a", "inbox"]);
  const wants = { inbox: 5, "thread:a": 12 };
  const latest = new Map([["thread:a", 14]]);
  assert.equal(planConnection(wants, present, 40, { "thread:a": 12 }, latest)?.after, 12);
  assert.equal(planConnection(wants, present, 40, { "thread:a": 14 }, latest), null);
  assert.equal(planConnection(wants, present, 40, { inbox: 5 }, latest), null);
});
