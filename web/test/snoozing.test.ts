import assert from "node:assert/strict";
import { test } from "node:test";
import { nextBack, partSnoozed } from "../src/api/snoozed.ts";
import { snoozeChoices } from "../src/screens/inbox/snoozing.ts";

const shown = (now: Date) =>
  snoozeChoices(now).map(({ label, until }) => `${label}: ${until.getDay()} ${until.getHours()}`);

test("the choices of a Friday at three", () => {
  assert.deepEqual(shown(new Date(2030, 4, 17, 15)), [
    "1 hour: 5 16",
    "This evening: 5 18",
    "Tomorrow 9:00: 6 9",
    "Next Monday: 1 9",
  ]);
});

test("late there is no evening, and Monday is the next one", () => {
  const choices = snoozeChoices(new Date(2030, 4, 20, 19));
  assert.deepEqual(
    choices.map(({ label }) => label),
    ["1 hour", "Tomorrow 9:00", "Next Monday"],
  );
  assert.equal(choices.at(-1)?.until.getDate(), 27);
});

test("every choice is later than now", () => {
  for (let hour = 0; hour < 24 * 8; hour += 1) {
    const now = new Date(2030, 4, 17, hour, 30);
    assert.ok(snoozeChoices(now).every(({ until }) => until > now));
  }
});

test("what is snoozed is apart, and comes back by a timer", () => {
  const now = new Date("2030-05-17T12:00:00Z");
  const items = [{ id: 1 }, { id: 2, snoozed_until: "2030-05-17T12:10:00Z" }];
  const { awake, asleep } = partSnoozed(items);
  assert.deepEqual([awake.map(({ id }) => id), asleep.map(({ id }) => id)], [[1], [2]]);
  assert.equal(nextBack(awake, now), false);
  assert.equal(nextBack(items, now), 600_500);
});
