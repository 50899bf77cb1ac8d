import assert from "node:assert/strict";
import { test } from "node:test";
import { compact, formatDuration, joinWords, percent, plural } from "../src/format.ts";

test("a duration has its two largest units, and no seconds from 10 minutes on", () => {
  const minute = 60_000;
  assert.deepEqual(
    [900, 72_000, 599_000, 720_000, 181 * minute, 52 * 60 * minute].map((ms) => formatDuration(ms)),
    ["0s", "1m 12s", "9m 59s", "12m", "3h 1m", "2d 4h"],
  );
  assert.deepEqual(
    [80, 4_200, 130_000].map((ms) => formatDuration(ms, 1)),
    ["0.1s", "4.2s", "2m 10s"],
  );
  assert.equal(formatDuration(90 * minute, 0, "long"), "1 hour 30 minutes");
});

test("counts have their nouns, short forms and shares", () => {
  assert.deepEqual(
    [plural(1, "file"), plural(1234, "entry", "entries"), compact(28_600), compact(980)],
    ["1 file", "1,234 entries", "28.6K", "980"],
  );
  assert.deepEqual([percent(1, 3), percent(0, 0)], ["33%", "–"]);
  assert.equal(joinWords(["a", "b", "c"]), "a, b, and c");
});
