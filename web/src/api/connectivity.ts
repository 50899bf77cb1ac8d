/** How the page stands to the engine, for everyone who asks: a small store outside React. */

import { useSyncExternalStore } from "react";

/** Connection states, as people read them. */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "offline" | "signed_out";

/** How the one connection stands; `nextAt` and `lastEventAt` are milliseconds since 1970. */
export interface Connectivity {
  readonly state: ConnectionState;
  readonly tries: number;
  readonly nextAt: number | null;
  readonly lastEventAt: number | null;
  /** Events that came after the last break, until it was caught up; 0 if there was none. */
  readonly caughtUp: number;
  /** Set where each tab connects for itself, as browsers share nothing there. */
  readonly isAlone: boolean;
}

const BEGINNING: Connectivity = {
  state: "connecting",
  tries: 0,
  nextAt: null,
  lastEventAt: null,
  caughtUp: 0,
  isAlone: false,
};

let connectivity = BEGINNING;
const watchers = new Set<() => void>();

/** Change what is known of the connection. */
export function setConnectivity(change: Partial<Connectivity>): void {
  connectivity = { ...connectivity, ...change };
  for (const notify of watchers) {
    notify();
  }
}

/** Return how the connection stands now. */
export function getConnectivity(): Connectivity {
  return connectivity;
}

/** Tell whether what is written can be sent. */
export function isOnline(): boolean {
  return connectivity.state === "live" || connectivity.state === "connecting";
}

/** Remember that the session is over: only a new link of `treadle open` helps. */
export function noteSignedOut(): void {
  if (connectivity.state !== "signed_out") {
    setConnectivity({ state: "signed_out", nextAt: null });
  }
}

/** Be told of each change; returns how to stop. */
export function watchConnectivity(report: () => void): () => void {
  watchers.add(report);
  return () => watchers.delete(report);
}

/** The connection as a component shows it. */
export function useConnection(): Connectivity {
  return useSyncExternalStore(watchConnectivity, getConnectivity);
}
