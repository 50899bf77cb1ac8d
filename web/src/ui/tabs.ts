/** The keys of a list of tabs: arrows, Home and End (WAI-ARIA, Tabs pattern). */

import type { KeyboardEvent } from "react";

/** Return what a tablist does on a key: the tab that the key goes to is chosen, and has the focus. */
export function tabKeys<Name>(
  names: readonly Name[],
  chosen: Name,
  choose: (name: Name) => void,
): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const at = names.indexOf(chosen);
    const goal = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length - 1 }[
      event.key
    ];
    if (goal === undefined || names.length === 0) {
      return;
    }
    event.preventDefault();
    const next = (goal + names.length) % names.length;
    choose(names[next] as Name);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
}
