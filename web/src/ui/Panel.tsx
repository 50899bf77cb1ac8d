/** A titled part of a screen, with what can be done to it at the right of its title. */

import { type ReactNode, useId } from "react";
import classes from "@/ui/panes.module.css";

interface Props {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Fills its parent: the title stays, the content scrolls. */
  readonly isFilling?: boolean;
}

/** Show content below a title; screen readers find it as a region of that name. */
export function Panel({ title, actions, children, isFilling = false }: Props) {
  const id = useId();
  return (
    <section className={classes.panel} data-filling={isFilling} aria-labelledby={id}>
      <header className={classes.panelHeader}>
        <h2 id={id} className={classes.panelTitle}>
          {title}
        </h2>
        {actions !== undefined && <div className={classes.panelActions}>{actions}</div>}
      </header>
      <div className={classes.panelBody}>{children}</div>
    </section>
  );
}
