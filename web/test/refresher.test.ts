/** Fetching again what changed. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { refresher } from "../src/api/refresher.ts";

/** Let timers run for a while, and what they settle. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10) {
    mock.timers.tick(10);
    await Promise.resolve();
    await new Promise((done) => setImmediate(done));
  }
}

test("changes that keep coming do not begin a slow fetch anew, and the last is fetched", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const begun: string[] = [];
  const done: string[] = [];
  const refresh = refresher(async (name) => {
    begun.push(name);
    await new Promise((end) => setTimeout(end, 1000));
    done.push(name);
  });
  refresh("thread");
  refresh("thread");
  for (let step = 0; step < 9; step += 1) {
    await pass(100);
    refresh("thread");
  }
  assert.deepEqual([begun.length, done.length], [1, 0]);
  await pass(200);
  assert.deepEqual([begun.length, done.length], [2, 1]);
  await pass(3000);
  assert.deepEqual([begun.length, done.length], [2, 2]);
  mock.timers.reset();
});

test("components that show the same thing have it fetched once", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const begun: string[] = [];
  const refresh = refresher(async (name) => begun.push(name));
  for (const name of ["thread", "inbox", "thread", "thread"]) {
    refresh(name);
  }
  await pass(1000);
  assert.deepEqual(begun, ["thread", "inbox"]);
  mock.timers.reset();
});

test("a fetch that is never answered does not keep the next one away", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let begun = 0;
  const refresh = refresher(() => {
    begun += 1;
    return new Promise(() => undefined);
  });
  refresh("thread");
  await pass(100);
  refresh("thread");
  await pass(10_200);
  assert.equal(begun, 2);
  mock.timers.reset();
});

test("while changes keep coming, a slow thing is fetched at most half of the time", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const begun: number[] = [];
  const refresh = refresher(async () => {
    begun.push(Date.now());
    await new Promise((end) => setTimeout(end, 1000));
  }, Date.now);
  for (let step = 0; step < 100; step += 1) {
    refresh("thread");
    await pass(100);
  }
  const last = Date.now() - 100;
  await pass(4000);
  assert.ok(begun.length >= 5 && begun.length <= 7, `${begun.length} fetches in 14 s`);
  assert.ok((begun.at(-1) ?? 0) >= last, "the last change was not fetched");
  mock.timers.reset();
});

test("a fetch that fails does not keep the next one away", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let begun = 0;
  const refresh = refresher(async () => {
    begun += 1;
    throw new Error("no answer");
  });
  refresh("thread");
  await pass(1000);
  refresh("thread");
  await pass(1000);
  assert.equal(begun, 2);
  mock.timers.reset();
});
