/** Remembers how high a place was, so that it stays so when what stood in it goes. */

import { type RefObject, useLayoutEffect, useRef } from "react";

/** Return how high a place was when `isThere` last told that what belongs into it stands there. */
export function useKeptHeight(place: RefObject<HTMLElement | null>, isThere: boolean): number {
  const height = useRef(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!isThere || element === null) {
      return undefined;
    }
    const watch = new ResizeObserver(() => {
      height.current = element.offsetHeight;
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [place, isThere]);
  return height.current;
}
