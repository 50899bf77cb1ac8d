/** What an agent did last, and since when it is at it; pure. */

import type { EventBody, JournaledEvent } from "@/api/events/topics";

/** The newest of one conversation. */
export interface Activity {
  readonly turnBeganAt: string | null;
  readonly text: string;
  readonly at: string | null;
}

/** Nothing known yet. */
export const NO_ACTIVITY: Activity = { turnBeganAt: null, text: "", at: null };

const MAX_CHARACTERS = 160;

/** The fold of one conversation's events to what it did last. */
export const activityFold = {
  empty: NO_ACTIVITY,
  keeps: 100,
  add(state: Activity, events: readonly JournaledEvent[]): Activity {
    let [turnBeganAt, text, at] = [state.turnBeganAt, state.text, state.at];
    for (const { event } of events) {
      const { body } = event;
      if (body.kind === "prompt_sent" || body.kind === "turn_started") {
        turnBeganAt = event.at;
      } else if (body.kind === "turn_ended") {
        turnBeganAt = null;
      }
      const label = textOf(body);
      if (label !== "") {
        [text, at] = [label, event.at];
      }
    }
    return { turnBeganAt, text, at };
  },
};

function textOf(body: EventBody): string {
  if (body.kind !== "agent_update") {
    return "";
  }
  const { update } = body as { update: Record<string, unknown> };
  if (update.sessionUpdate === "tool_call") {
    return typeof update.title === "string" ? lineOf(update.title) : "";
  }
  if (update.sessionUpdate === "agent_message_chunk") {
    const content = update.content as { text?: unknown } | undefined;
    const lines = typeof content?.text === "string" ? content.text.trim().split("\n") : [];
    return lineOf(lines.at(-1) ?? "");
  }
  return "";
}

function lineOf(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, MAX_CHARACTERS);
}
