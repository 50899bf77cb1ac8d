/** What a screen says where it has nothing yet: what would be here, and the next real step. */

import type { ReactNode } from "react";
import classes from "@/ui/ui.module.css";

interface Props {
  readonly title: string;
  readonly text?: string;
  readonly children?: ReactNode;
}

/** Say that there is nothing, and what to do. */
export function Empty({ title, text, children }: Props) {
  return (
    <section className={classes.empty}>
      <h1>{title}</h1>
      {text && <p className="dim">{text}</p>}
      {children}
    </section>
  );
}
