/** Graphs of tasks: groups, kin, and places that statuses never move. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { kinOf, levelsOf } from "../src/plans/graph/graph.ts";
import {
  directionOf,
  LEAST_ZOOM,
  layoutOf,
  MANY_NODES,
  NODE,
  neighbourOf,
  viewportOf,
  wholeOf,
} from "../src/plans/graph/layout.ts";

const diamond = [
  { id: "survey", depends_on: [] },
  { id: "left", depends_on: ["survey"] },
  { id: "right", depends_on: ["survey"] },
  { id: "end", depends_on: ["left", "right"] },
];

function fan(count: number) {
  const rest = Array.from({ length: count }, (_, i) => ({ id: `t${i}`, depends_on: ["root"] }));
  return [{ id: "root", depends_on: [] }, ...rest];
}

function chain(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    id: `t${i}`,
    depends_on: i === 0 ? [] : [`t${i - 1}`],
  }));
}

function overlaps(places: ReadonlyMap<string, { x: number; y: number }>): boolean {
  const all = [...places.values()];
  return all.some((a, i) =>
    all
      .slice(i + 1)
      .some((b) => Math.abs(a.x - b.x) < NODE.width && Math.abs(a.y - b.y) < NODE.height),
  );
}

test("tasks that can run side by side are one group", () => {
  assert.deepEqual(
    levelsOf(diamond).map((level) => level.map(({ id }) => id)),
    [["survey"], ["left", "right"], ["end"]],
  );
});

test("a circle or an unknown task does not hang the groups", () => {
  const circle = [
    { id: "a", depends_on: ["b"] },
    { id: "b", depends_on: ["a", "nowhere"] },
  ];
  assert.equal(levelsOf(circle).flat().length, 2);
});

test("kin are all before and all after", () => {
  const { before, after } = kinOf(diamond, "left");
  assert.deepEqual([...before], ["survey"]);
  assert.deepEqual([...after], ["end"]);
});

test("the same tasks and dependencies give the same layout, whatever else they say", () => {
  const said = diamond.map((node) => ({ ...node, status: "running", title: "T" }));
  assert.equal(layoutOf(diamond), layoutOf(said));
});

test("no two nodes overlap, in small graphs and in large ones", () => {
  assert.equal(overlaps(layoutOf(diamond).places), false);
  assert.equal(overlaps(layoutOf(fan(MANY_NODES + 20)).places), false);
});

test("a wide fan goes from left to right, a chain from top to bottom", () => {
  assert.equal(directionOf(fan(7)), "LR");
  assert.equal(directionOf(diamond), "TB");
});

test("a graph of 200 tasks is laid out within 100 ms", () => {
  const began = performance.now();
  layoutOf(fan(199));
  assert.ok(performance.now() - began < 100);
});

test("arrow keys lead to the nearest node that lies that way", () => {
  const layout = layoutOf(diamond, "TB");
  assert.equal(neighbourOf(layout, "survey", "ArrowUp"), null);
  assert.ok(["left", "right"].includes(neighbourOf(layout, "survey", "ArrowDown") ?? ""));
  const [first, second] = ["left", "right"].sort(
    (a, b) => (layout.places.get(a)?.x ?? 0) - (layout.places.get(b)?.x ?? 0),
  );
  assert.equal(neighbourOf(layout, first ?? "", "ArrowRight"), second);
});

test("a small graph is seen whole and in the middle, never larger than it is", () => {
  const layout = layoutOf(diamond);
  const view = viewportOf(layout, { width: 2000, height: 2000 }, undefined);
  assert.deepEqual(view, {
    x: (2000 - layout.width) / 2,
    y: (2000 - layout.height) / 2,
    zoom: 1,
  });
});

test("a large graph stays legible, with what matters in the pane", () => {
  const layout = layoutOf(fan(60));
  const pane = { width: 700, height: 500 };
  for (const id of ["t0", "t30", "t59"]) {
    const view = viewportOf(layout, pane, id);
    const place = layout.places.get(id) ?? { x: 0, y: 0 };
    const [x, y] = [place.x * view.zoom + view.x, place.y * view.zoom + view.y];
    assert.ok(view.zoom >= LEAST_ZOOM);
    assert.ok(x >= 0 && y >= 0);
    assert.ok(x + NODE.width * view.zoom <= pane.width);
    assert.ok(y + NODE.height * view.zoom <= pane.height);
  }
});

test("no node is cut where the pane begins, whatever is looked at", () => {
  for (const nodes of [fan(60), chain(12)]) {
    const layout = layoutOf(nodes);
    for (const width of [300, 420, 700, 1440]) {
      for (const { id } of nodes) {
        const view = viewportOf(layout, { width, height: 480 }, id);
        for (const { x, y } of layout.places.values()) {
          const [left, top] = [x * view.zoom + view.x, y * view.zoom + view.y];
          assert.ok(left >= 0 || left + NODE.width * view.zoom <= 0);
          assert.ok(top >= 0 || top + NODE.height * view.zoom <= 0);
        }
      }
    }
  }
});

test("the first column stays in a small pane where what is looked at fits beside it", () => {
  const layout = layoutOf(chain(6), "LR");
  const third = layout.places.get("t2") ?? { x: 0, y: 0 };
  const pane = { width: (third.x + NODE.width) * 0.78 + 40, height: 400 };
  const { x, zoom } = viewportOf(layout, pane, "t2");
  assert.equal(zoom, 0.78);
  assert.ok((layout.places.get("t0")?.x ?? 0) * zoom + x >= 0);
  assert.ok((third.x + NODE.width) * zoom + x <= pane.width);
});

test("a graph of any size can be seen whole", () => {
  for (const nodes of [diamond, fan(60), fan(400), chain(200)]) {
    const layout = layoutOf(nodes);
    const pane = { width: 390, height: 360 };
    const { x, y, zoom } = wholeOf(layout, pane);
    assert.ok(x >= 0 && y >= 0);
    assert.ok(x + layout.width * zoom <= pane.width && y + layout.height * zoom <= pane.height);
  }
});
