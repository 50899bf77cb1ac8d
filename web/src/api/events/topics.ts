/** Which events belong to which topic of the stream; pure (design of the stream: docs/how-to/page.md). */

import type { Schemas } from "@/api/client";

/** An event with its place in the journal. */
export type JournaledEvent = Schemas["JournaledEvent"];

/** What an event says; distinguished by its `kind`. */
export type EventBody = JournaledEvent["event"]["body"];

/** What the one connection brings: a journal event, or news of a list. */
export interface LiveEvent {
  readonly name: "journal" | "inbox" | "threads" | "queue" | "reset";
  readonly position: number;
  readonly journaled: JournaledEvent | null;
  readonly data: unknown;
}

/** Return the topic of a thread, a flow run or an agent's check, from the id of its workflow. */
export function topicOf(workflowId: string): string {
  const top = workflowId.split("/")[0] ?? workflowId;
  if (top.startsWith("flow-")) {
    return `flow:${top}`;
  }
  return `thread:${top}`;
}

/** Tell whether a topic's readers want an event. */
export function isOfTopic(topic: string, live: LiveEvent): boolean {
  if (live.name === "reset") {
    return true;
  }
  if (live.journaled === null) {
    return topic === live.name;
  }
  const colon = topic.indexOf(":");
  if (colon < 0) {
    return false;
  }
  const id = topic.slice(colon + 1);
  const top = topic.startsWith("check:") ? `agents/${id.replace("/", "/check-")}` : id;
  const { stream } = live.journaled.event;
  return stream === top || stream.startsWith(`${top}/`);
}

/**
 * Tell whether a reader that has read up to a position has what comes.
 *
 * A list may follow the event that changes it: there is no newer position to tell of it then.
 */
export function isKnown(live: LiveEvent, position: number): boolean {
  if (live.name === "reset") {
    return false;
  }
  return live.journaled === null ? live.position < position : live.position <= position;
}

/** Tell whether an event is running output of an agent or a terminal, which changes no view but its own. */
export function isAgentOutput(kind: string): boolean {
  return ["agent_update", "prompt_sent", "tool_called", "terminal_output"].includes(kind);
}
