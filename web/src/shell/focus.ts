/** Where the focus goes: to a new screen's heading, and from pane to pane. */

import { useEffect, useRef } from "react";

const PATIENCE_MS = 4000;

/**
 * Move the focus to the heading of each screen that is gone to, so that keys and readers go along.
 *
 * Not when the page is first loaded, and not where the screen itself has taken the focus.
 */
export function useHeadingFocus(path: string): void {
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address is a new screen
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const main = document.getElementById("main");
    if (main === null) {
      return;
    }
    const old = main.querySelector("h1");
    const observer = new MutationObserver(() => look());
    const timer = setTimeout(() => observer.disconnect(), PATIENCE_MS);
    const stop = () => {
      clearTimeout(timer);
      observer.disconnect();
    };
    const look = () => {
      const heading = main.querySelector("h1");
      if (main.contains(document.activeElement) && document.activeElement !== main) {
        stop();
      } else if (heading !== null && (heading !== old || old.isConnected)) {
        stop();
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
    };
    observer.observe(main, { childList: true, subtree: true });
    look();
    return stop;
  }, [path]);
}

/** Go to the next pane, or the one before; panes are marked by `data-pane`. */
export function cyclePanes(by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>("[data-pane]")].filter(
    (pane) => pane.offsetParent !== null && pane.querySelector("[data-pane]") === null,
  );
  const present = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(present + by + panes.length) % panes.length];
  const inside = next?.querySelector<HTMLElement>('[data-row][tabindex="0"], h1[tabindex]');
  (inside ?? next)?.focus();
}
