/**
 * Where the nodes of a graph stand; pure, and the same for the same tasks and dependencies.
 *
 * Statuses play no part, so a change of one never moves a node. Dagre gives the better picture and
 * needs seconds for large graphs; from 150 nodes on the groups stand in plain columns.
 */

import dagre from "@dagrejs/dagre";
import { levelsOf, type Node } from "./graph.ts";

/** The size of every node: their places never depend on what they say. */
export const NODE = { width: 208, height: 92 } as const;

/** From here on a graph is laid out in plain columns. */
export const MANY_NODES = 150;

const GAP = 18;
const LAYER_GAP = 32;
const PANE = { width: 760, height: 640 } as const;
const KEPT = 24;

/** Whether what comes later stands below or at the right. */
export type Direction = "TB" | "LR";

/** The left upper corner of a node. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A graph with a place for each node. */
export interface Layout {
  readonly direction: Direction;
  readonly places: ReadonlyMap<string, Place>;
  /** The points between that a long edge goes through, by `from>to`: it passes no node beneath it. */
  readonly routes: ReadonlyMap<string, readonly Place[]>;
  readonly width: number;
  readonly height: number;
}

const saved = new Map<string, Layout>();

/** Name tasks and dependencies, and nothing else of them. */
export function edgeKey(nodes: readonly Node[]): string {
  return nodes.map(({ id, depends_on }) => `${id}<${[...depends_on].sort().join(",")}`).join(";");
}

/** Return the direction in which a graph goes beyond a side panel the least. */
export function directionOf(nodes: readonly Node[]): Direction {
  const levels = levelsOf(nodes);
  const across = Math.max(1, ...levels.map((level) => level.length));
  const along = levels.length;
  const overflow = (columns: number, rows: number) =>
    Math.max(
      (columns * (NODE.width + GAP)) / PANE.width,
      (rows * (NODE.height + GAP)) / PANE.height,
    );
  return overflow(along, across) < overflow(across, along) ? "LR" : "TB";
}

/** Lay a graph out, in a direction of its own unless one is given. */
export function layoutOf(
  nodes: readonly Node[],
  direction: Direction = directionOf(nodes),
): Layout {
  const key = `${direction} ${edgeKey(nodes)}`;
  const found = saved.get(key);
  if (found !== undefined) {
    return found;
  }
  const made = nodes.length < MANY_NODES ? byDagre(nodes, direction) : inColumns(nodes, direction);
  saved.set(key, made);
  for (const oldest of saved.keys()) {
    if (saved.size <= KEPT) {
      break;
    }
    saved.delete(oldest);
  }
  return made;
}

function byDagre(nodes: readonly Node[], direction: Direction): Layout {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: direction, nodesep: GAP, ranksep: LAYER_GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(nodes.map(({ id }) => id));
  for (const { id } of nodes) {
    graph.setNode(id, { ...NODE });
  }
  for (const { id, depends_on } of nodes) {
    for (const other of depends_on) {
      if (known.has(other)) {
        graph.setEdge(other, id);
      }
    }
  }
  dagre.layout(graph);
  const places = nodes.map(({ id }): [string, Place] => {
    const middle = graph.node(id);
    const x = (middle.x ?? 0) - NODE.width / 2;
    const y = (middle.y ?? 0) - NODE.height / 2;
    return [id, { x, y }];
  });
  const routes = graph.edges().map(({ v, w }): [string, readonly Place[]] => {
    const points = graph.edge(v, w).points ?? [];
    return [`${v}>${w}`, points.slice(1, -1)];
  });
  const long = routes.filter(([, points]) => points.length > 1);
  return framed(direction, new Map(places), new Map(long));
}

/** Each group in a line, in the order of the middle of what its nodes wait for. */
function inColumns(nodes: readonly Node[], direction: Direction): Layout {
  const ranks = new Map<string, number>();
  const places = new Map<string, Place>();
  const step = direction === "LR" ? NODE.height + GAP : NODE.width + GAP;
  const layer = direction === "LR" ? NODE.width + LAYER_GAP : NODE.height + LAYER_GAP;
  levelsOf(nodes).forEach((level, depth) => {
    const middle = ({ depends_on }: Node) =>
      depends_on.reduce((sum, id) => sum + (ranks.get(id) ?? 0), 0) / (depends_on.length || 1);
    const ordered = depth === 0 ? level : [...level].sort((a, b) => middle(a) - middle(b));
    ordered.forEach(({ id }, rank) => {
      ranks.set(id, rank);
      const [along, across] = [depth * layer, rank * step];
      places.set(id, direction === "LR" ? { x: along, y: across } : { x: across, y: along });
    });
  });
  return framed(direction, places);
}

function framed(
  direction: Direction,
  places: Layout["places"],
  routes: Layout["routes"] = new Map(),
): Layout {
  const all = [...places.values()];
  return {
    direction,
    places,
    routes,
    width: Math.max(0, ...all.map(({ x }) => x + NODE.width)),
    height: Math.max(0, ...all.map(({ y }) => y + NODE.height)),
  };
}

/** Return a curve from one point to another through points between, level where it meets each. */
export function curveOf(points: readonly Place[], direction: Direction): string {
  const [first, ...rest] = points;
  if (first === undefined) {
    return "";
  }
  let from = first;
  const parts = rest.map((to) => {
    const [halfX, halfY] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
    const bends = direction === "LR" ? [halfX, from.y, halfX, to.y] : [from.x, halfY, to.x, halfY];
    from = to;
    return `C${bends.join(" ")} ${to.x} ${to.y}`;
  });
  return `M${first.x} ${first.y}${parts.join("")}`;
}

/** Below this nothing can be read: only who asks to see all of a graph sees it smaller. */
export const LEAST_ZOOM = 0.65;

/** As far out as it goes: a graph of any size fits. */
export const WHOLE_ZOOM = 0.005;

const NEAR_ZOOM = 0.78;
const MARGIN = 12;

/** What is seen of a graph: the place of its corner in the pane, and the zoom. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

interface Pane {
  readonly width: number;
  readonly height: number;
}

function fittingZoom(layout: Layout, pane: Pane): number {
  return Math.min(
    1,
    (pane.width - 2 * MARGIN) / Math.max(1, layout.width),
    (pane.height - 2 * MARGIN) / Math.max(1, layout.height),
  );
}

/**
 * Return how to look at a graph: all of it where that is legible, else around one node.
 *
 * `shared` is a zoom that several graphs have in common. The graph's beginning stays in the pane where
 * that node fits in with it, and no node is cut where the pane begins.
 */
export function viewportOf(
  layout: Layout,
  pane: Pane,
  focus: string | undefined,
  shared?: number,
): Viewport {
  const fitting = fittingZoom(layout, pane);
  const zoom = shared ?? (fitting >= LEAST_ZOOM ? fitting : NEAR_ZOOM);
  const place = layout.places.get(focus ?? "") ?? { x: 0, y: 0 };
  const all = [...layout.places.values()];
  return {
    x: offsetOf(
      all.map(({ x }) => x * zoom),
      {
        node: NODE.width * zoom,
        size: layout.width * zoom,
        room: pane.width,
        focus: place.x * zoom,
      },
    ),
    y: offsetOf(
      all.map(({ y }) => y * zoom),
      {
        node: NODE.height * zoom,
        size: layout.height * zoom,
        room: pane.height,
        focus: place.y * zoom,
      },
    ),
    zoom,
  };
}

/** Return how to look at all of a graph, however small it gets. */
export function wholeOf(layout: Layout, pane: Pane): Viewport {
  const zoom = Math.max(WHOLE_ZOOM, fittingZoom(layout, pane));
  return {
    x: (pane.width - layout.width * zoom) / 2,
    y: (pane.height - layout.height * zoom) / 2,
    zoom,
  };
}

interface Axis {
  readonly node: number;
  readonly size: number;
  readonly room: number;
  readonly focus: number;
}

/** Where the graph begins in the pane, along one axis; `starts` are where its nodes begin. */
function offsetOf(starts: readonly number[], { node, size, room, focus }: Axis): number {
  if (size <= room - 2 * MARGIN) {
    return (room - size) / 2;
  }
  const isShown = (at: number) => focus + at >= 0 && focus + node + at <= room;
  if (isShown(MARGIN)) {
    return MARGIN;
  }
  const middle = room / 2 - (focus + node / 2);
  const offset = Math.min(MARGIN, Math.max(room - size - MARGIN, middle));
  const isCut = (at: number) => starts.some((each) => each + at < 0 && each + node + at > 0);
  const near = (at: number) => Math.abs(at - offset);
  const whole = [offset, ...starts.flatMap((each) => [MARGIN - each, -(each + node) - 1])]
    .filter((at) => !isCut(at) && isShown(at))
    .sort((one, other) => near(one) - near(other));
  return whole[0] ?? offset;
}

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Return the node that an arrow key leads to: the nearest one that lies that way. */
export function neighbourOf(layout: Layout, id: string, key: string): string | null {
  const from = layout.places.get(id);
  const way = WAYS[key];
  if (from === undefined || way === undefined) {
    return null;
  }
  let best: { id: string; cost: number } | null = null;
  for (const [other, place] of layout.places) {
    const along = (place.x - from.x) * way[0] + (place.y - from.y) * way[1];
    const aside = Math.abs((place.x - from.x) * way[1]) + Math.abs((place.y - from.y) * way[0]);
    const cost = along + aside;
    if (along > 0 && (best === null || cost < best.cost)) {
      best = { id: other, cost };
    }
  }
  return best?.id ?? null;
}
