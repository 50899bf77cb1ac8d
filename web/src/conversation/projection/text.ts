/** The text of an event: the server writes it, and sends it along. */

import type { Schemas } from "@/api/client";
import type { Draft, Place } from "./draft.ts";

/** An event in words. */
export type EventText = Schemas["EventText"];

/** What stands in for the text of an event that has none. */
export const NO_TEXT: EventText = { summary: "", details: "", tone: "info", milestone: "" };

/** Return an event's text as a line of a transcript. */
export function lineOf(place: Place, text: EventText, details = text.details) {
  const { summary, tone, task_id: task = null, run_id: run } = text;
  const line = { ...place, kind: "line", tone, text: summary, details, task } as const;
  return run ? { ...line, run } : line;
}

/** Add an event's text to the line that folds small things. */
export function note(draft: Draft, place: Place, line: string): void {
  const last = draft.last();
  if (last?.kind === "notes" && last.session === place.session) {
    draft.items[draft.items.length - 1] = { ...last, lines: [...last.lines, line] };
  } else {
    draft.add({ ...place, kind: "notes", lines: [line] });
  }
}
