/** What a person can do with the queue, each as one command of the API. */

import { post } from "@/api/client";

/** Hold one entry, or all where none is named: what runs continues. */
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
