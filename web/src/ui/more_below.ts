/** Tells a scroller that there is more below what it shows: its end fades then. */

import { useEffect, useRef } from "react";

const LEAST_PX = 4;

/** Return the ref of a scroller, which has `data-more` while something of it is hidden below. */
export function useMoreBelow<T extends HTMLElement>() {
  const place = useRef<T>(null);
  useEffect(() => {
    const scroller = place.current;
    if (scroller === null) {
      return;
    }
    const look = () => {
      const hidden = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
      scroller.toggleAttribute("data-more", hidden > LEAST_PX);
    };
    const sizes = new ResizeObserver(look);
    const changes = new MutationObserver(look);
    sizes.observe(scroller);
    changes.observe(scroller, { childList: true, subtree: true, characterData: true });
    scroller.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      changes.disconnect();
      scroller.removeEventListener("scroll", look);
    };
  });
  return place;
}
