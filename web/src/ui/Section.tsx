/** A titled part of a panel or tab. */

import type { ReactNode } from "react";
import classes from "@/ui/panes.module.css";

interface Props {
  readonly title: ReactNode;
  /** The whole section is left out without it. */
  readonly children: ReactNode;
}

/** Show content below a small title. */
export function Section({ title, children }: Props) {
  return children ? (
    <section className={classes.section}>
      <h3>{title}</h3>
      {children}
    </section>
  ) : null;
}
