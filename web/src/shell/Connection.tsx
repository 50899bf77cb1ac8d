/** The connection as a fact on screen. */

import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { type Connectivity, useConnection } from "@/api/connectivity";
import { reconnect } from "@/api/events/connection";
import { plural } from "@/format";
import classes from "@/shell/sidebar.module.css";
import { useNow } from "@/ui/Ago";

const SHOWN_MS = 15_000;

/** Show the connection to the engine, in words; the last ones change with the clock alone. */
export function Connection({ isNarrow = false }: { readonly isNarrow?: boolean }) {
  const status = useConnection();
  const isTrying = status.state === "reconnecting" || status.state === "offline";
  const wasBroken = useRecentBreak(status.state);
  const words = wordsOf({ ...status, caughtUp: wasBroken ? status.caughtUp : 0 });
  return (
    <div className={classes.connection}>
      <span className={classes.dot} data-state={status.state} aria-hidden title={words} />
      <span role="status" className={isNarrow ? "visually-hidden" : undefined}>
        {words}
      </span>
      {isTrying && !isNarrow && <NextTry nextAt={status.nextAt} />}
      {isTrying && !isNarrow && (
        <Button variant="default" size="compact-xs" onClick={reconnect}>
          Retry now
        </Button>
      )}
    </div>
  );
}

/** Tell for a while that the connection had been lost. */
function useRecentBreak(state: Connectivity["state"]): boolean {
  const [isRecent, setRecent] = useState(false);
  useEffect(() => {
    if (state === "reconnecting" || state === "offline") {
      setRecent(true);
    } else if (state === "live" && isRecent) {
      const timer = setTimeout(() => setRecent(false), SHOWN_MS);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [state, isRecent]);
  return isRecent;
}

function wordsOf({ state, tries, caughtUp, isAlone }: Connectivity): string {
  switch (state) {
    case "connecting":
      return "connecting";
    case "live":
      return [
        "live",
        ...(caughtUp > 0 ? [`${plural(caughtUp, "event")} caught up`] : []),
        ...(isAlone ? ["each tab has its own connection: open at most five"] : []),
      ].join(" · ");
    case "reconnecting":
      return `reconnecting, attempt ${tries}`;
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
