/** How much a plan runs without asking: which choice is made already, and what each is said to lead to. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Conduct, Freedom } from "@/plans/models";
import { describeStops, presetOf, stopsIn } from "../src/plans/autonomy.ts";

function conducts(plans: string[], gates: string[], usual: Freedom | null): Conduct[] {
  const all = ["a", "b"];
  const found = [
    { freedom: null, plans, gates },
    { freedom: "each_plan", plans: all, gates: all },
    { freedom: "gates", plans: [], gates: all },
    { freedom: "auto", plans: [], gates: [] },
  ] as const;
  return found.map((each) => ({
    ...each,
    plans: [...each.plans],
    gates: [...each.gates],
    is_usual: each.freedom !== null && each.freedom === usual,
  }));
}

test("what the template has is chosen already, where the plan stops just there", () => {
  assert.equal(presetOf(conducts([], ["a", "b"], "gates")), "gates");
  assert.equal(presetOf(conducts([], [], "auto")), "auto");
  assert.equal(presetOf(conducts(["a", "b"], ["a", "b"], "each_plan")), "each_plan");
});

test("a plan without gates does not choose auto for the person", () => {
  assert.equal(presetOf(conducts([], [], "gates")), "as_planned");
});

test("a plan that stops like none of them runs as it says, unless a person chooses", () => {
  const mixed = conducts(["a"], ["b"], "gates");
  assert.equal(presetOf(mixed), "as_planned");
  assert.deepEqual(stopsIn(mixed, "as_planned")?.plans, ["a"]);
  assert.equal(presetOf([]), "as_planned");
});

test("the words count where it stops", () => {
  const words = (plans: string[], gates: string[], threads = 0) =>
    describeStops({ freedom: null, plans, gates, is_usual: false }, threads);
  assert.match(words([], ["a"]), /^asks for your approval at 1 gate;/);
  assert.match(
    words(["a", "b"], ["a", "b"]),
    /^asks for your approval at 2 task plans and 2 gates;/,
  );
  assert.match(words([], [], 1), /^asks for your approval at the plan of 1 child thread;/);
  assert.equal(words([], []), "stops only on failures or findings");
});
