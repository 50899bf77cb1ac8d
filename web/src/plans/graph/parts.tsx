/** The nodes and edges of a graph, as the drawing library takes them. */

import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  type Node as FlowNode,
  Handle,
  type NodeHandle,
  type NodeProps,
  Position,
} from "@xyflow/react";
import { type ComponentType, createContext, useContext } from "react";
import classes from "@/plans/graph/dag.module.css";
import type { Node } from "@/plans/graph/graph";
import { curveOf, type Direction, type Layout, NODE, type Place } from "@/plans/graph/layout";

/** How an edge looks: work goes along it, it waits, it is done. */
export type EdgeState = "moving" | "waiting" | "done" | "plain";

interface Frame {
  readonly Card: ComponentType<{ readonly id: string }>;
  readonly direction: Direction;
  readonly tabStop: string | null | undefined;
  readonly chosen: string | null;
  /** A node with all before and after it; null while none is pointed at. */
  readonly kin: ReadonlySet<string> | null;
}

/** What all nodes of one graph share. */
export const FrameContext = createContext<Frame | null>(null);

/** The one kind of node there is. */
export const NODE_TYPES = { task: Box };

/** The one kind of edge there is. */
export const EDGE_TYPES = { need: Curve };

/** An edge with the points that it goes through. */
export type Need = Edge<{ readonly route: readonly Place[]; readonly direction: Direction }>;

function Curve({ id, sourceX, sourceY, targetX, targetY, data }: EdgeProps<Need>) {
  const points = [{ x: sourceX, y: sourceY }, ...(data?.route ?? []), { x: targetX, y: targetY }];
  return <BaseEdge id={id} path={curveOf(points, data?.direction ?? "LR")} />;
}

function Box({ id }: NodeProps) {
  const frame = useContext(FrameContext);
  if (frame === null) {
    return null;
  }
  const { Card, direction, tabStop, chosen, kin } = frame;
  const isAcross = direction === "LR";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a node holds more than the text of a button
    <div
      role="button"
      className={classes.box}
      data-node={id}
      data-chosen={chosen === id}
      data-faded={kin !== null && !kin.has(id)}
      tabIndex={tabStop === id ? 0 : -1}
    >
      <Handle type="target" position={isAcross ? Position.Left : Position.Top} aria-hidden />
      <Card id={id} />
      <Handle type="source" position={isAcross ? Position.Right : Position.Bottom} aria-hidden />
    </div>
  );
}

/** Return the nodes at their places, with where edges meet them, so that none is drawn to be measured. */
export function boxesOf(layout: Layout): FlowNode[] {
  const handles = handlesOf(layout.direction);
  return [...layout.places].map(([id, position]) => ({
    id,
    position: { ...position },
    type: "task",
    data: {},
    handles,
    ...NODE,
  }));
}

function handlesOf(direction: Direction): NodeHandle[] {
  const isAcross = direction === "LR";
  const { width, height } = NODE;
  const middle = isAcross ? { x: 0, y: height / 2 } : { x: width / 2, y: 0 };
  const end = isAcross ? { ...middle, x: width } : { ...middle, y: height };
  const size = { width: 1, height: 1 };
  return [
    { type: "target", position: isAcross ? Position.Left : Position.Top, ...middle, ...size },
    { type: "source", position: isAcross ? Position.Right : Position.Bottom, ...end, ...size },
  ];
}

/** Return the edges, each as its state wants it; those beside what is pointed at fade. */
export function edgesOf(
  nodes: readonly Node[],
  layout: Layout,
  edgeInto: ((id: string) => EdgeState) | undefined,
  kin: ReadonlySet<string> | null,
): Need[] {
  const known = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap(({ id, depends_on }) =>
    depends_on
      .filter((other) => known.has(other))
      .map((other): Need => {
        const state = edgeInto?.(id) ?? "plain";
        const isFaded = kin !== null && !(kin.has(id) && kin.has(other));
        return {
          id: `${other}>${id}`,
          type: "need",
          data: {
            route: layout.routes.get(`${other}>${id}`) ?? [],
            direction: layout.direction,
          },
          source: other,
          target: id,
          animated: state === "moving",
          className: `${classes.edge} ${classes[state] ?? ""} ${isFaded ? classes.faded : ""}`,
          focusable: false,
        };
      }),
  );
}
