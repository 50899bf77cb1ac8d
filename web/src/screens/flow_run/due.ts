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
  const body = event.body;
  if (body.kind === "flow_step_started") {
    return body.due_at ? { what: "step", until: body.due_at, reason: "", session: 0 } : null;
  }
  if (body.kind === "turn_delayed") {
    const session = Number(event.stream.split("/session-")[1] ?? 0);
    return { what: "provider", until: body.until, reason: body.reason, session };
  }
  return ENDS.has(body.kind) ? null : state;
}
