/** A list of tabs (WAI-ARIA, Tabs pattern): arrows, Home and End go to others. */

import type { KeyboardEvent, ReactNode } from "react";
import classes from "@/ui/panes.module.css";

/** A tab of a list. */
export interface TabItem<Name extends string> {
  readonly name: Name;
  readonly content: ReactNode;
  readonly title?: string;
  readonly isArchived?: boolean;
}

interface Props<Name extends string> {
  readonly label: string;
  readonly tabs: readonly TabItem<Name>[];
  readonly chosen: Name | null;
  readonly onChoose: (name: Name) => void;
}

/** Show the tabs; the tab that a key goes to is chosen, and has the focus. */
export function TabList<Name extends string>({ label, tabs, chosen, onChoose }: Props<Name>) {
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const at = tabs.findIndex(({ name }) => name === chosen);
    const goal = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[
      event.key
    ];
    const index = goal === undefined ? -1 : (goal + tabs.length) % tabs.length;
    const next = tabs[index];
    if (next !== undefined) {
      event.preventDefault();
      onChoose(next.name);
      event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
    }
  };
  return (
    <div className={classes.tabList} role="tablist" aria-label={label} onKeyDown={press}>
      {tabs.map(({ name, content, title, isArchived = false }) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          className={classes.tab}
          data-archived={isArchived}
          title={title}
          onClick={() => onChoose(name)}
        >
          {content}
        </button>
      ))}
    </div>
  );
}
