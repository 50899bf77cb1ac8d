/** What a person can do with the queue, each as one command of the API. */

import { post } from "@/api/client";
import { itemOf, type Work } from "@/screens/queue/work";

/** Put one piece of work into the queue. */
export function addWork(commandId: string, work: Work) {
  return post("/v1/queue", {}, { command_id: commandId, items: [itemOf(commandId, work)] });
}

/** Hold one entry, or all where none is named: what runs goes on. */
export function hold(commandId: string, entry: string | null) {
  const payload = { command_id: commandId, reason: "" };
  return entry === null
    ? post("/v1/queue/hold", {}, payload)
    : post("/v1/queue/{entry}/hold", { entry }, payload);
}

/** Release one entry, or all; `isAnyway` starts it although what it waits for has not completed. */
export function release(commandId: string, entry: string | null, isAnyway = false) {
  return entry === null
    ? post("/v1/queue/release", {}, { command_id: commandId })
    : post("/v1/queue/{entry}/release", { entry }, { command_id: commandId, is_anyway: isAnyway });
}

/** Where an entry goes: in front of another, or to a priority; without both to the very front. */
export interface Move {
  readonly before: string | null;
  readonly priority: number | null;
}

/** Move an entry. */
export function move(commandId: string, entry: string, to: Move) {
  return post("/v1/queue/{entry}/move", { entry }, { command_id: commandId, ...to });
}

/** Take an entry out; one that was started goes on without the queue. */
export function remove(commandId: string, entry: string) {
  return post("/v1/queue/{entry}/remove", { entry }, { command_id: commandId });
}

/** How much may run at a time; null has the settings count again. */
export interface Limits {
  readonly max_running: number;
  readonly per_project: number;
  readonly per_host: number;
  readonly max_reviews: number;
}

/** Set the limits, or go back to those of the settings. */
export function setLimits(commandId: string, limits: Limits | null) {
  return post(
    "/v1/queue/limits",
    {},
    { command_id: commandId, ...(limits ?? {}), are_default: limits === null },
  );
}
