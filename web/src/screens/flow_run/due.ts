/** Until when a run waits: a step that waits, or a provider that said when to come back; pure. */

import type { JournaledEvent } from "@/api/events/topics";

/** A wait that ends by itself. */
export interface Due {
  readonly what: "step" | "provider";
  readonly until: string;
  readonly reason: string;
  /** The number of the conversation whose provider is waited for. */
  readonly session: number;
}

/** A fold of a run's events to the wait that is under way; null where there is none. */
export const dueFold = {
  empty: null as Due | null,
  add: (state: Due | null, events: readonly JournaledEvent[]): Due | null =>
    events.reduce(dueAfter, state),
};

const ENDS: ReadonlySet<string> = new Set([
  "flow_step_ended",
  "flow_stopped",
  "flow_failed",
  "flow_completed",
  "turn_resumed",
  "turn_ended",
  "turn_woken",
]);

function dueAfter(state: Due | null, { event }: JournaledEvent): Due | null {
  const said = event.body;
  if (said.kind === "flow_step_started") {
    return said.due_at ? { what: "step", until: said.due_at, reason: "", session: 0 } : null;
  }
  if (said.kind === "turn_delayed") {
    const session = Number(event.stream.split("/session-")[1] ?? 0);
    return { what: "provider", until: said.until, reason: said.reason, session };
  }
  return ENDS.has(said.kind) ? null : state;
}
