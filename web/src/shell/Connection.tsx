/** The connection as a fact on screen (facts: ui, detail 28). */

import { useConnection } from "@/live/standing";
import { useNow } from "@/ui/Ago";

/** Say how the page stands to the engine, in words. */
export function Connection() {
  const { state, tries, nextAt, caughtUp } = useConnection();
  const now = useNow();
  const words = {
    connecting: "connecting",
    live: caughtUp > 0 ? `live, ${caughtUp} events caught up` : "live",
    reconnecting: `reconnecting, try ${tries}`,
    offline: `offline, next try in ${Math.max(0, Math.ceil(((nextAt ?? now) - now) / 1000))} s`,
    signed_out: "signed out: treadle open",
  }[state];
  return (
    <div role="status" aria-live="polite">
      {words}
    </div>
  );
}
