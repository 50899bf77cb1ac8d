/** Events of a stream, or of a thread or run with all below, as a transcript; the fold is pure. */

import type { EventBody, JournaledEvent } from "@/api/events/topics";
import { addAsk } from "./asks.ts";
import { Draft, type Place } from "./draft.ts";
import type { Transcript } from "./items.ts";
import { addCard } from "./lines.ts";
import { type EventText, lineOf, NO_TEXT } from "./text.ts";
import { addTurn } from "./turns.ts";

const EMPTY: Transcript = { items: [], open: null, commands: [], context: null };

/** Events of a thread's or a task's own stream that the stream of the session has as well. */
const SHOWN_IN_SESSION: ReadonlySet<string> = new Set([
  "prompt_queued",
  "turn_started",
  "turn_ended",
]);

/** Fold events into a transcript: the same events give the same, however they are cut. */
export const transcriptFold = {
  empty: EMPTY,
  add(state: Transcript, events: readonly JournaledEvent[]): Transcript {
    const draft = new Draft(state);
    for (const { position, event, text } of events) {
      const { body } = event;
      const isOfSession = /\/session-[^/]*$/.test(event.stream);
      if (isOfSession || !SHOWN_IN_SESSION.has(body.kind)) {
        addEvent(draft, placeOf(position, event.at, event.stream, body), body, text, !isOfSession);
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
 * Let each group of events say what it makes of one; any other is a line, if it has a text.
 *
 * The server sends no text (rather than null) with an event that it cannot read: that is shown as it
 * came. Events stand in the journal as they were written: one of an older version may lack a field.
 */
function addEvent(
  draft: Draft,
  place: Place,
  body: EventBody,
  text: EventText | null | undefined,
  isOfTask: boolean,
): void {
  const known = text ?? NO_TEXT;
  try {
    if (
      addTurn(draft, place, body, known, isOfTask) ||
      addAsk(draft, place, body, known) ||
      addCard(draft, place, body, known)
    ) {
      return;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error;
    }
    draft.add({ ...place, kind: "unknown", name: body.kind, body });
    return;
  }
  if (text) {
    draft.add(lineOf(place, text));
  } else if (text === undefined) {
    draft.add({ ...place, kind: "unknown", name: body.kind, body });
  }
}
