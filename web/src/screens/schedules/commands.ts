/** What a person can do with schedules, each as one command of the API. */

import { api, body, header } from "@/api/client";
import { itemOf, type Work } from "@/screens/queue/work";

/** A schedule as it was typed. */
export interface ScheduleRequest {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly overlap: "skip" | "queue";
  readonly work: Work;
}

/** Add a schedule; its times are checked before anything is kept. */
export function addSchedule(commandId: string, request: ScheduleRequest) {
  return body(
    api.POST("/v1/schedules", {
      params: { header },
      body: {
        command_id: commandId,
        name: request.name.trim(),
        cron: request.cron.trim(),
        timezone: request.timezone.trim() || null,
        overlap: request.overlap,
        item: itemOf(commandId, request.work),
      },
    }),
  );
}

/** Put its work into the queue now, beside its times. */
export function runNow(commandId: string, name: string) {
  const params = { path: { name }, header };
  return body(api.POST("/v1/schedules/{name}/run", { params, body: { command_id: commandId } }));
}

/** Pause a schedule or have it go on. */
export function setPaused(commandId: string, name: string, isPaused: boolean) {
  const params = { path: { name }, header };
  const payload = { command_id: commandId };
  return body(
    isPaused
      ? api.POST("/v1/schedules/{name}/pause", { params, body: payload })
      : api.POST("/v1/schedules/{name}/resume", { params, body: payload }),
  );
}

/** Remove a schedule; what it put into the queue stays. */
export async function removeSchedule(commandId: string, name: string) {
  const params = { path: { name }, header };
  await api.DELETE("/v1/schedules/{name}", { params, body: { command_id: commandId } });
}
