/** Ctrl+Enter, or Cmd+Enter on a Mac: it sends what is typed. */

import type { KeyboardEvent } from "react";

/** Return a key handler that runs something on Mod+Enter, and on Escape where that is given. */
export function onModEnter(run: () => void, onEscape?: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      run();
    } else if (event.key === "Escape" && onEscape) {
      event.stopPropagation();
      onEscape();
    }
  };
}
