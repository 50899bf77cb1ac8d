/** Choosing lines by their numbers: a click takes one, dragging or a click with Shift takes several. */

import { type MouseEvent, type PointerEvent, useState } from "react";
import type { OnLines } from "@/diff/DiffBody";
import { type LineRange, lineNow, rangeBetween } from "@/diff/lines";
import type { Hunk } from "@/diff/patch";

/** The line whose number an event is at; a comment below a line may hold lines of its own. */
function keyAt(event: MouseEvent): string | undefined {
  const gutter = (event.target as Element).closest<HTMLElement>("[data-gutter]");
  return gutter?.closest("[data-lines]") === event.currentTarget
    ? gutter?.dataset.gutter
    : undefined;
}

/**
 * Return what a file's lines listen to, and the lines that are being dragged over.
 *
 * A click with Ctrl or ⌘ opens the line in an editor, where `openLine` can, also where no comment can be written.
 */
export function useChoosing(
  hunks: readonly Hunk[],
  cursor: string | null,
  onLines: OnLines | undefined,
  openLine: ((line: number) => void) | null,
) {
  const [drag, setDrag] = useState<{ readonly from: string; readonly to: string } | null>(null);
  const range: LineRange | null =
    drag !== null && drag.from !== drag.to ? rangeBetween(hunks, drag.from, drag.to) : null;
  if (onLines === undefined && openLine === null) {
    return { range: null, listeners: {} };
  }
  const choose = (from: string, to: string) => {
    const chosen = rangeBetween(hunks, from, to);
    if (chosen !== null) {
      onLines?.(chosen, to, hunks);
    }
  };
  const listeners = {
    onPointerDown(event: PointerEvent) {
      const key = keyAt(event);
      if (
        key !== undefined &&
        onLines !== undefined &&
        event.button === 0 &&
        event.pointerType === "mouse" &&
        !event.shiftKey &&
        !event.ctrlKey &&
        !event.metaKey
      ) {
        setDrag({ from: key, to: key });
      }
    },
    onPointerOver(event: PointerEvent) {
      const key = keyAt(event);
      if (drag !== null && key !== undefined && event.buttons === 1) {
        setDrag({ from: drag.from, to: key });
      }
    },
    onPointerUp(event: PointerEvent) {
      const key = keyAt(event);
      setDrag(null);
      if (drag !== null && key !== undefined && key !== drag.from) {
        choose(drag.from, key);
      }
    },
    onClick(event: MouseEvent) {
      // a drag that ends elsewhere gives a click on what both lie in, which is no number
      const key = keyAt(event);
      const line = key === undefined ? null : lineNow(hunks, key);
      if (line !== null && openLine !== null && (event.ctrlKey || event.metaKey)) {
        openLine(line);
      } else if (key !== undefined) {
        choose(event.shiftKey && cursor !== null ? cursor : key, key);
      }
    },
  };
  return { range, listeners };
}
