/** Events of a stream, or of a thread or run with all below, as a transcript; the fold is pure. */

import type { EventBody, JournaledEvent } from "@/api/events/topics";
import { addAsk } from "./asks.ts";
import { Draft, type Place } from "./draft.ts";
import type { Transcript } from "./items.ts";
import { addLine } from "./lines.ts";
import { addTurn } from "./turns.ts";

const EMPTY: Transcript = { items: [], open: null, commands: [], context: null };

/** How the work goes on inside; said elsewhere on the page, or by the events around it. */
const QUIET: ReadonlySet<string> = new Set([
  "conversation_opened",
  "directory_asked",
  "directory_freed",
  "directory_granted",
  "document_due",
  "prompt_delivered",
  "prompt_queued",
  "coordinator_named",
  "parent_asked",
  "task_progressed",
  "task_settled",
  "task_turn_ended",
  "task_turn_started",
  "task_watched",
  "terminal_output",
  "turn_spent",
  "answer_taken",
  "decision_timed",
  "flow_turn_ended",
  "flow_conversation_closed",
]);

/** Fold events into a transcript: the same events give the same, however they are cut. */
export const transcriptFold = {
  empty: EMPTY,
  add(state: Transcript, events: readonly JournaledEvent[]): Transcript {
    const draft = new Draft(state);
    for (const { position, event } of events) {
      const { body } = event;
      if (!QUIET.has(body.kind)) {
        addEvent(draft, placeOf(position, event.at, event.stream, body), body);
      }
    }
    return draft.done();
  },
  cut(state: Transcript, position: number): Transcript {
    return { ...state, items: state.items.filter((item) => item.position >= position) };
  },
  past(earlier: Transcript, newest: Transcript): Transcript {
    return { ...newest, items: earlier.items };
  },
} as const;

function placeOf(position: number, at: string, stream: string, body: EventBody): Place {
  const named = "session_id" in body && typeof body.session_id === "string" ? body.session_id : "";
  const session = named || (/\/session-[^/]*$/.test(stream) ? stream : null);
  return { key: String(position), position, at, session };
}

/**
 * Let each group of events say what it makes of one; what no group knows is shown as it came.
 *
 * Events stand in the journal as they were written: one of an older version may lack a field.
 */
function addEvent(draft: Draft, place: Place, body: EventBody): void {
  try {
    if (addTurn(draft, place, body) || addAsk(draft, place, body) || addLine(draft, place, body)) {
      return;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error;
    }
  }
  draft.add({ ...place, kind: "unknown", name: body.kind, body });
}
