/** The frame of a screen: a title with what can be done, then its content, or a list beside one thing of it. */

import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import classes from "@/ui/page.module.css";
import { Safe } from "@/ui/Safe";

interface PageProps {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  /** Stands below the title: filters, or facts in one line. */
  readonly below?: ReactNode;
  readonly children: ReactNode;
}

/** A screen of one column. */
export function Page({ title, actions, below, children }: PageProps) {
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.titleLine}>
          <h1 className={classes.title}>
            {typeof title === "string" ? <Safe text={title} /> : title}
          </h1>
          <div className={classes.actions}>{actions}</div>
        </div>
        {below !== undefined && <div className={classes.below}>{below}</div>}
      </header>
      <div className={classes.content}>{children}</div>
    </div>
  );
}

interface RoomProps extends Omit<PageProps, "children"> {
  readonly list: ReactNode;
  readonly listLabel: string;
  /** What was chosen in the list; null shows `none`. */
  readonly detail: ReactNode | null;
  readonly none: ReactNode;
  /** The address of the list alone: on narrow screens it is left for what was chosen. */
  readonly back: string;
}

/** A screen with a list at the left and what is chosen in it at the right. */
export function ListDetailPage({ list, listLabel, detail, none, back, ...page }: RoomProps) {
  return (
    <Page {...page}>
      <div className={classes.listDetail} data-chosen={detail !== null}>
        <section className={classes.list} aria-label={listLabel} data-pane tabIndex={-1}>
          {list}
        </section>
        <div className={classes.detail} data-pane tabIndex={-1}>
          <Link href={back} className={classes.back}>
            <ChevronLeft size={14} aria-hidden /> {listLabel}
          </Link>
          {detail ?? none}
        </div>
      </div>
    </Page>
  );
}

interface RowProps {
  readonly name: ReactNode;
  /** At the right of the name. */
  readonly status: ReactNode;
  /** Below the name, in one line. */
  readonly children: ReactNode;
  readonly isChosen?: boolean;
}

/** A row of the list at the left. */
export function ListRow({ name, status, children, isChosen = false }: RowProps) {
  return (
    <div className={classes.row} data-chosen={isChosen}>
      <div className={classes.rowLine}>
        <span className={classes.rowName}>{name}</span>
        {status}
      </div>
      <div className={classes.rowText}>{children}</div>
    </div>
  );
}

/** Facts about one thing: names at the left, values at the right; what is empty is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  const shown = facts.filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return (
    <dl className={classes.facts}>
      {shown.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What may be wider than its place, such as a table: it scrolls by itself, by keyboard as well. */
export function Sideways({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
