/** What stands in the way of everything, above the screen, with what to do about it. */

import { Button } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";
import { useConnection } from "@/api/connectivity";
import { reconnect } from "@/api/events/connection";
import { useHealth } from "@/api/resources";
import { useUnsent } from "@/api/unsent";
import { formatMoment } from "@/format";
import classes from "@/shell/shell.module.css";

const Overtaken = lazy(() => import("@/shell/UnsentAnswers"));

/** Show what is wrong with the way to the engine, and answers that came too late. */
export function Banners() {
  const isWriting = useUnsent().length > 0;
  return (
    <>
      <Trouble />
      <Suspense>{isWriting && <Overtaken />}</Suspense>
    </>
  );
}

/** Whether this is a team's server, whose own page signs people in. */
function isTeam(): boolean {
  return !/(^|\.)localhost$|^127\.|^\[::1\]$/.test(window.location.hostname);
}

function Trouble() {
  const { state, lastEventAt } = useConnection();
  const health = useHealth().data;
  if (state === "signed_out") {
    return isTeam() ? (
      <Banner onRetry={() => window.location.reload()} retry="Sign in">
        <b>You are signed out.</b> Your text is saved.
      </Banner>
    ) : (
      <Banner>
        <b>You are signed out.</b> Run <code>treadle open</code> and follow its link to sign in
        again. Your text is saved.
      </Banner>
    );
  }
  if (state === "offline") {
    return (
      <Banner onRetry={reconnect}>
        <b>Offline.</b> Showing data from{" "}
        {lastEventAt === null ? "before" : formatMoment(lastEventAt)}. Nothing can be sent, but your
        text is saved. If the engine is not running: <code>treadle up</code>
      </Banner>
    );
  }
  if (health?.temporal === "down") {
    return (
      <Banner>
        <b>Temporal is not responding.</b> You can read everything, but cannot send anything until
        it is back: <code>treadle up</code> starts it, <code>treadle doctor</code> shows what is
        missing.
      </Banner>
    );
  }
  if (health?.worker === "down") {
    return (
      <Banner>
        <b>No worker is running.</b> Messages wait until one starts: <code>treadle up</code> starts
        it, <code>treadle doctor</code> shows what is missing.
      </Banner>
    );
  }
  return null;
}

function Banner({
  children,
  onRetry,
  retry = "Retry now",
}: {
  readonly children: ReactNode;
  readonly onRetry?: () => void;
  readonly retry?: string;
}) {
  return (
    <div className={classes.banner} role="alert">
      <span>{children}</span>
      {onRetry && (
        <Button variant="default" size="compact-xs" onClick={onRetry}>
          {retry}
        </Button>
      )}
    </div>
  );
}
