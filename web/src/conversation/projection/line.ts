/** How an event is said in one line. */

import type { EventBody } from "@/api/events/topics";
import type { Tone } from "./items.ts";

/** A line as it is shown; long details are folded below it. */
export interface Line {
  readonly text: string;
  readonly tone?: Tone;
  readonly details?: string;
  readonly task?: string | null;
  readonly run?: string;
}

/** The words of events by their kinds; null says nothing. */
export type Lines = {
  readonly [K in EventBody["kind"]]?: (body: Extract<EventBody, { kind: K }>) => Line | null;
};

/** Return the part of a session's id that people read: `session-2`. */
export function nameOf(workflowId: string): string {
  return workflowId.split("/").at(-1) ?? workflowId;
}

/** Say by whom something was done, where it is known. */
export function byWhom(by: string): string {
  return by === "" ? "" : `, by ${by}`;
}
