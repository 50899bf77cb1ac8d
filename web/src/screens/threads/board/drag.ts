/** Dragging cards of the queue: loaded with the board, which works without it by keyboard and menu. */

import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import {
  draggable,
  dropTargetForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";

/** What a card tells while another is dragged over it. */
export interface Droppable {
  readonly id: string;
  readonly placeOf: (id: string) => number;
  readonly move: (id: string, place: number) => void;
  /** On which side of it the dragged one would be put down. */
  readonly show: (edge: "top" | "bottom" | null) => void;
  readonly setDragged: (isDragged: boolean) => void;
}

function edgeOf(element: Element, clientY: number): "top" | "bottom" {
  const { top, height } = element.getBoundingClientRect();
  return clientY < top + height / 2 ? "top" : "bottom";
}

/** Let a card be dragged, and others be put down before or after it; returns how to stop. */
export function makeDraggable(element: HTMLElement, card: Droppable): () => void {
  return combine(
    draggable({
      element,
      getInitialData: () => ({ id: card.id }),
      onDragStart: () => card.setDragged(true),
      onDrop: () => card.setDragged(false),
    }),
    dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data.id !== card.id && typeof source.data.id === "string",
      getData: ({ input }) => ({ edge: edgeOf(element, input.clientY) }),
      onDrag: ({ self }) => card.show(self.data.edge as "top" | "bottom"),
      onDragLeave: () => card.show(null),
      onDrop: ({ source, self }) => {
        card.show(null);
        const id = String(source.data.id);
        const [from, over] = [card.placeOf(id), card.placeOf(card.id)];
        const behind = over + (self.data.edge === "bottom" ? 1 : 0);
        card.move(id, from < behind ? behind - 1 : behind);
      },
    }),
  );
}
