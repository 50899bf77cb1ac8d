/** Whether something is near what the reader sees. */

import { type RefObject, startTransition, useEffect, useState } from "react";

const MARGIN = "1500px 0px";

/** Beyond the window and beyond what scrolls in it; browsers without the latter draw a little later. */
const NEARBY: IntersectionObserverInit & { scrollMargin: string } = {
  rootMargin: MARGIN,
  scrollMargin: MARGIN,
};

type Told = (entry: IntersectionObserverEntry) => void;

const told = new WeakMap<Element, Told>();
let observer: IntersectionObserver | null = null;

/** One observer for all, as each of its own looks at each frame. */
function observing(): IntersectionObserver {
  observer ??= new IntersectionObserver((entries) => {
    for (const entry of entries) {
      told.get(entry.target)?.(entry);
    }
  }, NEARBY);
  return observer;
}

/** Tell whether an element is near; `onLeave` hears how high it was when it no longer is. */
export function useIsNear(
  box: RefObject<Element | null>,
  onLeave?: (height: number) => void,
): boolean {
  const [isNear, setNear] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an element is observed once
  useEffect(() => {
    const element = box.current;
    if (element === null) {
      return;
    }
    told.set(element, (entry) => {
      if (!entry.isIntersecting && element.childElementCount > 0) {
        onLeave?.(entry.boundingClientRect.height);
      }
      startTransition(() => setNear(entry.isIntersecting));
    });
    observing().observe(element);
    return () => observing().unobserve(element);
  }, []);
  return isNear;
}
