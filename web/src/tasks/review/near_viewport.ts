/** Whether something is near what the reader sees, so that it has to be drawn. */

import { type RefObject, startTransition, useEffect, useRef, useState } from "react";

const MARGIN = "1500px 0px";
const LINE_PIXELS = 18;

/** Beyond the window and beyond what scrolls in it; browsers without the latter draw a little later. */
const NEARBY: IntersectionObserverInit & { scrollMargin: string } = {
  rootMargin: MARGIN,
  scrollMargin: MARGIN,
};

/** A place for something that is drawn while it is near; away from there its height is kept. */
export interface NearViewport {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly isNear: boolean;
  readonly height: number;
}

/** Watch a box of so many lines; with `isAlways` it is always drawn. */
export function useNearViewport(lines: number, isAlways: boolean): NearViewport {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [height, setHeight] = useState(lines * LINE_PIXELS);
  useEffect(() => {
    const element = box.current;
    if (isAlways || element === null) {
      return;
    }
    const watch = new IntersectionObserver(([entry]) => {
      if (entry === undefined) {
        return;
      }
      if (!entry.isIntersecting && element.childElementCount > 0) {
        setHeight(entry.boundingClientRect.height);
      }
      startTransition(() => setNear(entry.isIntersecting));
    }, NEARBY);
    watch.observe(element);
    return () => watch.disconnect();
  }, [isAlways]);
  return { box, isNear: isAlways || isNear, height };
}
