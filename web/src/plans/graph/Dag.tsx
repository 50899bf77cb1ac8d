/** A graph of tasks: legible at any size, gone through by arrow keys, never moved by a status. */

import "@xyflow/react/dist/base.css";
import {
  Background,
  type Node as FlowNode,
  MiniMap,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
} from "@xyflow/react";
import {
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import classes from "@/plans/graph/dag.module.css";
import { kinOf, type Node } from "@/plans/graph/graph";
import {
  directionOf,
  edgeKey,
  type Layout,
  layoutOf,
  MANY_NODES,
  neighbourOf,
  type Viewport,
  viewportOf,
  WHOLE_ZOOM,
  wholeOf,
} from "@/plans/graph/layout";
import {
  boxesOf,
  EDGE_TYPES,
  type EdgeState,
  edgesOf,
  FrameContext,
  type Need,
  NODE_TYPES,
} from "@/plans/graph/parts";
import { Toolbar } from "@/plans/graph/Toolbar";

const MOST_ZOOM = 1.4;
const MINIMAP_FROM = 15;
const NONE: readonly string[] = [];
const REVEAL_MS = 60;
const FRAMES = 60;

interface Props {
  readonly label: string;
  readonly nodes: readonly Node[];
  /** Draws what a node says; it reads its task itself, so that only one is drawn again. */
  readonly Card: ComponentType<{ readonly id: string }>;
  /** How the edges into a node look. */
  readonly edgeInto?: ((id: string) => EdgeState) | undefined;
  /** The colour of a node in the small map, as a variable's name. */
  readonly toneOf?: ((id: string) => string) | undefined;
  /** What to look at where not all of it is legible at once. */
  readonly focus?: readonly string[] | undefined;
  /** A zoom that several graphs share; each chooses its own without it. */
  readonly zoom?: number | undefined;
  /** More buttons beside those of the zoom. */
  readonly tools?: ReactNode;
  readonly chosen?: string | null | undefined;
  readonly onChoose?: ((id: string) => void) | undefined;
}

/** Show tasks and what they wait for. */
export default function Dag(props: Props) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas(props: Props) {
  const { label, nodes, Card, edgeInto, toneOf, focus = NONE, chosen = null, onChoose } = props;
  const layout = useLayout(nodes);
  const [hovered, setHovered] = useState<string | null>(null);
  const { frame, flow, active, setActive, press, begin, fit, keepTabStop } = useWays(layout, props);
  const boxes = useMemo(() => boxesOf(layout), [layout]);
  const kin = useKin(nodes, hovered);
  const edges = useEdges(nodes, layout, edgeInto, kin);
  const colour = useColour(nodes, toneOf);
  const tabStop = [active, chosen, focus[0], nodes[0]?.id].find(
    (id) => id && layout.places.has(id),
  );
  const shared = useMemo(
    () => ({ Card, direction: layout.direction, tabStop, chosen, kin }),
    [Card, layout, tabStop, chosen, kin],
  );
  return (
    <FrameContext value={shared}>
      <section className={classes.frame} aria-label={label}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the nodes in it */}
        <div ref={frame} className={classes.pane} onKeyDown={press}>
          <ReactFlow
            nodes={boxes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            edgeTypes={EDGE_TYPES}
            minZoom={WHOLE_ZOOM}
            maxZoom={MOST_ZOOM}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            disableKeyboardA11y
            onlyRenderVisibleElements={nodes.length >= MANY_NODES}
            onMoveEnd={() => keepTabStop(tabStop)}
            zoomOnDoubleClick={false}
            onInit={(made) => {
              flow.current = made;
              begin();
            }}
            onNodeClick={(_, { id }) => {
              setActive(id);
              onChoose?.(id);
            }}
            onNodeMouseEnter={(_, { id }) => setHovered(id)}
            onNodeMouseLeave={() => setHovered(null)}
          >
            <Background gap={20} size={1} />
          </ReactFlow>
        </div>
        <div className={classes.strip}>
          <Toolbar onFit={fit}>{props.tools}</Toolbar>
          {nodes.length >= MINIMAP_FROM && (
            <MiniMap
              pannable
              zoomable
              className={classes.map}
              ariaLabel="Minimap"
              nodeColor={colour}
            />
          )}
        </div>
      </section>
    </FrameContext>
  );
}

/** The direction stays as it was first, so that an amendment turns nothing around. */
function useLayout(nodes: readonly Node[]): Layout {
  const [direction] = useState(() => directionOf(nodes));
  const key = edgeKey(nodes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that the layout uses
  return useMemo(() => layoutOf(nodes, direction), [key, direction]);
}

/** The edges, the same ones as long as all look the same. */
function useEdges(
  nodes: readonly Node[],
  layout: Layout,
  edgeInto: Props["edgeInto"],
  kin: ReadonlySet<string> | null,
): Need[] {
  const key = edgeKey(nodes);
  const looks = nodes.map(({ id }) => edgeInto?.(id)).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say all that edges use
  return useMemo(() => edgesOf(nodes, layout, edgeInto, kin), [key, looks, layout, kin]);
}

/** The colours in the small map, by the same function as long as none changes. */
function useColour(nodes: readonly Node[], toneOf: Props["toneOf"]): (node: FlowNode) => string {
  const tones = nodes.map(({ id }) => toneOf?.(id)).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tones say all that it uses
  return useCallback(({ id }) => `var(${toneOf?.(id) ?? "--line-strong"})`, [tones]);
}

function useKin(nodes: readonly Node[], hovered: string | null): ReadonlySet<string> | null {
  const key = edgeKey(nodes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that kinship uses
  return useMemo(() => {
    if (hovered === null) {
      return null;
    }
    const { before, after } = kinOf(nodes, hovered);
    return new Set([hovered, ...before, ...after]);
  }, [hovered, key]);
}

/** How one goes about in a graph: by arrow keys from node to node, by Enter into one, by `fit` to all. */
function useWays(layout: Layout, { focus = NONE, zoom, chosen = null, onChoose }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<FlowNode, Need> | null>(null);
  const [active, setActive] = useState<string | null>(null);
  const see = (view: (pane: DOMRect) => Viewport) => {
    const pane = frame.current?.getBoundingClientRect();
    if (pane) {
      void flow.current?.setViewport(view(pane));
    }
  };
  const look = (at: string | undefined) => see((pane) => viewportOf(layout, pane, at, zoom));
  const begin = () => look(focus.find((id) => layout.places.has(id)));
  const fit = () => see((pane) => wholeOf(layout, pane));
  const find = (id: string) =>
    frame.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`);
  const reveal = (id: string) => {
    const node = find(id);
    if (layout.places.has(id) && frame.current && !(node && isInside(node, frame.current))) {
      look(id);
    }
  };
  const go = (id: string) => {
    setActive(id);
    reveal(id);
    whenDrawn(
      () => find(id),
      (node) => node.focus({ preventScroll: true }),
    );
  };
  const keepTabStop = (id: string | null | undefined) =>
    requestAnimationFrame(() => {
      if (id && !find(id)) {
        setActive(frame.current?.querySelector<HTMLElement>("[data-node]")?.dataset.node ?? null);
      }
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what is chosen, and no more
  useEffect(() => {
    const later = setTimeout(() => chosen && reveal(chosen), REVEAL_MS);
    return () => clearTimeout(later);
  }, [chosen]);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    const from = target?.closest<HTMLElement>("[data-node]")?.dataset.node;
    if (from === undefined || event.metaKey || event.ctrlKey || event.altKey) {
      return;
    }
    const next = neighbourOf(layout, from, event.key);
    if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      if (next !== null) {
        go(next);
      }
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onChoose?.(from);
    }
  };
  return { frame, flow, active, setActive, press, begin, fit, keepTabStop };
}

/** Do something with a node that may only be drawn in one of the next frames. */
function whenDrawn(
  find: () => HTMLElement | null | undefined,
  act: (node: HTMLElement) => void,
  frames = FRAMES,
): void {
  const node = find();
  if (node) {
    act(node);
  } else if (frames > 0) {
    requestAnimationFrame(() => whenDrawn(find, act, frames - 1));
  }
}

function isInside(node: HTMLElement, frame: HTMLElement): boolean {
  const inner = node.getBoundingClientRect();
  const outer = frame.getBoundingClientRect();
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  );
}
