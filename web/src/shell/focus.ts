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
    const observer = new MutationObserver(() => look());
    const timer = setTimeout(() => observer.disconnect(), PATIENCE_MS);
    const stop = () => {
      clearTimeout(timer);
      observer.disconnect();
    };
    const look = () => {
      // While a screen is loaded, React keeps the one before, hidden.
      const heading = [...main.querySelectorAll("h1")].find(isSeen);
      if (isTaken(main)) {
        stop();
      } else if (heading !== undefined) {
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

/** Give the focus to the innermost pane that is left, when what had it goes away: a bar that is answered. */
export function useFocusRestored(): void {
  useEffect(() => {
    let had: Element | null = null;
    let panes: readonly HTMLElement[] = [];
    const note = ({ target }: FocusEvent) => {
      had = target instanceof Element ? target : null;
      panes = panesAround(had);
    };
    const observer = new MutationObserver(() => {
      if (had === null || had.isConnected || document.activeElement !== document.body) {
        return;
      }
      had = null;
      const pane = panes.find((each) => each.isConnected && isSeen(each));
      if (pane !== undefined) {
        pane.tabIndex = -1;
        pane.focus({ preventScroll: true });
      }
    });
    document.addEventListener("focusin", note);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", note);
      observer.disconnect();
    };
  }, []);
}

function panesAround(inner: Element | null): readonly HTMLElement[] {
  const pane = inner?.closest<HTMLElement>("[data-pane]") ?? null;
  return pane === null ? [] : [pane, ...panesAround(pane.parentElement)];
}

/** Tell whether the screen that is shown has the focus already. */
function isTaken(main: HTMLElement): boolean {
  const active = document.activeElement;
  return (
    active instanceof HTMLElement && active !== main && main.contains(active) && isSeen(active)
  );
}

function isSeen(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}

/** Go to the next pane, or the one before; panes are marked by `data-pane`, the innermost count. */
export function cyclePanes(by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>("[data-pane]")].filter(
    (pane) => isSeen(pane) && pane.querySelector("[data-pane]") === null,
  );
  const present = panes.findIndex((pane) => pane.contains(document.activeElement));
  const start = present < 0 && by < 0 ? 0 : present;
  for (let step = 1; step <= panes.length; step += 1) {
    const pane = panes[(start + by * step + panes.length * 2) % panes.length];
    if (pane !== undefined && enter(pane)) {
      return;
    }
  }
}

/** Focus a pane's present row, else the pane itself; tells whether that did. */
function enter(pane: HTMLElement): boolean {
  const row = [...pane.querySelectorAll<HTMLElement>('[data-row][tabindex="0"]')].find(isSeen);
  row?.focus();
  if (!pane.contains(document.activeElement)) {
    pane.tabIndex = -1;
    pane.focus();
  }
  return pane.contains(document.activeElement);
}
