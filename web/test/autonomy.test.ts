/** How much a plan runs without asking: which choice is made already, and what each is said to lead to. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Autonomy, AutonomyOption } from "@/plans/models";
import { describeStops, presetOf, stopsIn, withStops } from "../src/plans/autonomy.ts";

function options(plans: string[], gates: string[], usual: Autonomy | null): AutonomyOption[] {
  const all = ["a", "b"];
  const found = [
    { autonomy: null, plans, gates },
    { autonomy: "each_plan", plans: all, gates: all },
    { autonomy: "gates", plans: [], gates: all },
    { autonomy: "auto", plans: [], gates: [] },
  ] as const;
  return found.map((each) => ({
    ...each,
    plans: [...each.plans],
    gates: [...each.gates],
    is_usual: each.autonomy !== null && each.autonomy === usual,
  }));
}

test("what the template has is chosen already, where the plan stops just there", () => {
  assert.equal(presetOf(options([], ["a", "b"], "gates")), "gates");
  assert.equal(presetOf(options([], [], "auto")), "auto");
  assert.equal(presetOf(options(["a", "b"], ["a", "b"], "each_plan")), "each_plan");
});

test("a plan without gates does not choose auto for the person", () => {
  assert.equal(presetOf(options([], [], "gates")), "as_planned");
});

test("a plan that stops like none of them runs as it says, unless a person chooses", () => {
  const mixed = options(["a"], ["b"], "gates");
  assert.equal(presetOf(mixed), "as_planned");
  assert.deepEqual(stopsIn(mixed, "as_planned")?.plans, ["a"]);
  assert.equal(presetOf([]), "as_planned");
});

test("the words count where it stops", () => {
  const words = (plans: string[], gates: string[], threads = 0) =>
    describeStops({ autonomy: null, plans, gates, is_usual: false }, threads);
  assert.match(words([], ["a"]), /^asks for your approval at 1 gate;/);
  assert.match(
    words(["a", "b"], ["a", "b"]),
    /^asks for your approval at 2 task plans and 2 gates;/,
  );
  assert.match(words([], [], 1), /^asks for your approval at the plan of 1 child thread;/);
  assert.equal(words([], []), "stops only on failures or findings");
});

test("what a task leaves to the template is what it will be", () => {
  const silent = { id: "a", runs_as: "task", gate: null, plan_approval: null } as const;
  const [stops] = options(["a"], ["a"], null);
  const [free] = options([], [], null);
  assert.deepEqual(withStops([silent], stops), [{ ...silent, gate: "ask", plan_approval: "user" }]);
  assert.deepEqual(withStops([silent], free), [{ ...silent, gate: "auto" }]);
  assert.deepEqual(withStops([silent], undefined), [silent]);
  const own = { ...silent, gate: "auto", plan_approval: "none" } as const;
  assert.deepEqual(withStops([own], stops), [own]);
});
