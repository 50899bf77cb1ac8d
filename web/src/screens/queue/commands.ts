/** What a person can do with the queue, each as one command of the API. */

import { api, body, header } from "@/api/client";
import { itemOf, type Work } from "@/screens/queue/work";

/** Put one piece of work into the queue. */
export function addWork(commandId: string, work: Work) {
  return body(
    api.POST("/v1/queue", {
      params: { header },
      body: { command_id: commandId, items: [itemOf(commandId, work)] },
    }),
  );
}

/** Hold one entry, or all where none is named: what runs goes on. */
export function hold(commandId: string, entry: string | null) {
  const payload = { command_id: commandId, reason: "" };
  return body(
    entry === null
      ? api.POST("/v1/queue/hold", { params: { header }, body: payload })
      : api.POST("/v1/queue/{entry}/hold", { params: { path: { entry }, header }, body: payload }),
  );
}

/** Release one entry, or all; `isAnyway` starts it although what it waits for has not completed. */
export function release(commandId: string, entry: string | null, isAnyway = false) {
  return body(
    entry === null
      ? api.POST("/v1/queue/release", { params: { header }, body: { command_id: commandId } })
      : api.POST("/v1/queue/{entry}/release", {
          params: { path: { entry }, header },
          body: { command_id: commandId, is_anyway: isAnyway },
        }),
  );
}

/** Where an entry goes: in front of another, or to a priority; without both to the very front. */
export interface Move {
  readonly before: string | null;
  readonly priority: number | null;
}

/** Move an entry. */
export function move(commandId: string, entry: string, to: Move) {
  return body(
    api.POST("/v1/queue/{entry}/move", {
      params: { path: { entry }, header },
      body: { command_id: commandId, ...to },
    }),
  );
}

/** Take an entry out; one that was started goes on without the queue. */
export function remove(commandId: string, entry: string) {
  return body(
    api.POST("/v1/queue/{entry}/remove", {
      params: { path: { entry }, header },
      body: { command_id: commandId },
    }),
  );
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
  return body(
    api.POST("/v1/queue/limits", {
      params: { header },
      body: { command_id: commandId, ...(limits ?? {}), are_default: limits === null },
    }),
  );
}
