/** The connection as a fact on screen (facts: ui, detail 28). */

import { Button } from "@mantine/core";
import { reconnect } from "@/live/connection";
import { type Standing, useConnection } from "@/live/standing";
import classes from "@/shell/sidebar.module.css";
import { useNow } from "@/ui/Ago";

/** Say how the page stands to the engine, in words; the last ones change with the clock alone. */
export function Connection({ isNarrow = false }: { readonly isNarrow?: boolean }) {
  const standing = useConnection();
  const isTrying = standing.state === "reconnecting" || standing.state === "offline";
  const words = wordsOf(standing);
  return (
    <div className={classes.connection}>
      <span className={classes.dot} data-state={standing.state} aria-hidden title={words} />
      <span role="status" className={isNarrow ? "visually-hidden" : undefined}>
        {words}
      </span>
      {isTrying && !isNarrow && <NextTry nextAt={standing.nextAt} />}
      {isTrying && !isNarrow && (
        <Button variant="default" size="compact-xs" onClick={reconnect}>
          Try now
        </Button>
      )}
    </div>
  );
}

function wordsOf({ state, tries, caughtUp, isAlone }: Standing): string {
  switch (state) {
    case "connecting":
      return "connecting";
    case "live":
      return [
        "live",
        ...(caughtUp > 0 ? [`${caughtUp} events caught up`] : []),
        ...(isAlone ? ["each tab connects for itself: keep fewer than six"] : []),
      ].join(" · ");
    case "reconnecting":
      return `reconnecting, try ${tries}`;
    case "offline":
      return "offline";
    case "signed_out":
      return "signed out";
  }
}

function NextTry({ nextAt }: { readonly nextAt: number | null }) {
  const now = useNow();
  const seconds = nextAt === null ? 0 : Math.ceil((nextAt - now) / 1000);
  return <span>{seconds > 0 ? `in ${seconds} s` : "now"}</span>;
}
