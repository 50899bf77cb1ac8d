/** One line below a thread's screens: goal, progress, what waits, who works. */

import { useInbox, useThread } from "@/api/queries";
import classes from "@/shell/shell.module.css";
import { tickerParts } from "@/shell/ticker";
import { Safe } from "@/ui/Safe";

/** Show how a thread stands, whichever of its screens is open. */
export function Ticker({ thread }: { readonly thread: string }) {
  const view = useThread(thread).data;
  const items = useInbox().data?.items;
  if (view === undefined) {
    return null;
  }
  const { goal, parts } = tickerParts(view, items ?? []);
  return (
    <section className={classes.ticker} aria-label="Thread status">
      <span className={classes.goal}>
        <Safe text={goal} />
      </span>
      {parts.map(({ text, isWarning }) => (
        <span key={text} className={isWarning ? classes.tickerWarning : undefined}>
          {isWarning && "⚠ "}
          {text}
        </span>
      ))}
    </section>
  );
}
