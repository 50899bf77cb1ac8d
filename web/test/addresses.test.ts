import assert from "node:assert/strict";
import { test } from "node:test";
import * as addresses from "../src/shell/addresses.ts";
import { SCREENS } from "../src/shell/routes.ts";
import { nameIn } from "../src/ui/addresses.ts";

const { shownId } = addresses;
const placeOf = (path: string) => addresses.placeOf(path, SCREENS);
const titleOf = (path: string, topic: string) => addresses.titleOf(path, topic, SCREENS);

test("an address belongs to a place of the sidebar", () => {
  assert.equal(placeOf("/"), "/");
  assert.equal(placeOf("/threads/thread-a/tasks/t1"), "/threads");
  assert.equal(placeOf("/flow-runs/flow-x-1"), "/flows");
  assert.equal(placeOf("/new"), null);
});

test("a thread's and a run's address say which it is", () => {
  assert.equal(shownId("/threads/thread-a/tasks/t1"), "thread-a");
  assert.equal(shownId("/flow-runs/flow-x-1"), "flow-x-1");
  assert.equal(shownId("/threads"), null);
});

test("a window is called after what it shows", () => {
  assert.equal(titleOf("/", ""), "Inbox");
  assert.equal(titleOf("/new", ""), "New thread");
  assert.equal(titleOf("/threads/thread-a", "Payments"), "Payments");
  assert.equal(titleOf("/threads/thread-a/tasks/t1", "Payments"), "t1 · Payments");
});

test("a name in an address is decoded, and stands for itself where it cannot be", () => {
  assert.equal(nameIn("user%3Arelease"), "user:release");
  assert.equal(nameIn("%F0"), "%F0");
  assert.equal(nameIn("50% done"), "50% done");
});
