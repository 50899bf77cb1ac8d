/** What a person can do with a run of a flow, each as one command of the API. */

import { api, body, header, type Schemas } from "@/api/client";

type Plain = "stop" | "archive" | "restore";

/** Stop a run at once, archive it, or take it out of the archive. */
export function command(commandId: string, run: string, what: Plain) {
  const options = { params: { path: { run }, header }, body: { command_id: commandId } };
  switch (what) {
    case "stop":
      return body(api.POST("/v1/flow-runs/{run}/stop", options));
    case "archive":
      return body(api.POST("/v1/flow-runs/{run}/archive", options));
    case "restore":
      return body(api.POST("/v1/flow-runs/{run}/unarchive", options));
  }
}

/** Have a run go on: at a step, or where it stands. */
export function resume(commandId: string, run: string, step: number | null) {
  return body(
    api.POST("/v1/flow-runs/{run}/resume", {
      params: { path: { run }, header },
      body: { command_id: commandId, step_index: step },
    }),
  );
}

/** Give a run another title. */
export function rename(commandId: string, run: string, topic: string) {
  return body(
    api.POST("/v1/flow-runs/{run}/rename", {
      params: { path: { run }, header },
      body: { command_id: commandId, topic },
    }),
  );
}

/** Delete a run with its transcript; `isForced` stops one that is at work. */
export function removeRun(commandId: string, run: string, isForced: boolean) {
  return body(
    api.DELETE("/v1/flow-runs/{run}", {
      params: { path: { run }, header },
      body: { command_id: commandId, is_forced: isForced },
    }),
  );
}

/** Answer what a step asks: bound to the question as it is shown. */
export function answer(
  commandId: string,
  run: string,
  asked: Schemas["OpenFlowRequest"],
  label: string,
) {
  const hasOptions = (asked.request.options ?? []).length > 0;
  return body(
    api.POST("/v1/flow-runs/{run}/answer", {
      params: { path: { run }, header },
      body: {
        command_id: commandId,
        request_id: asked.request.request_id,
        content_hash: asked.content_hash,
        option: hasOptions ? label : "",
        text: hasOptions ? "" : label,
      },
    }),
  );
}

/** Ask the provider now instead of at the time that it named. */
export function skipWait(commandId: string, run: string, session: number) {
  return body(
    api.POST("/v1/flow-runs/{run}/sessions/{number}/skip-wait", {
      params: { path: { run, number: session }, header },
      body: { command_id: commandId },
    }),
  );
}

/** Have another agent go on with a conversation. */
export function switchAgent(
  commandId: string,
  run: string,
  session: number,
  agent: string,
  model: string,
) {
  return body(
    api.POST("/v1/flow-runs/{run}/sessions/{number}/switch-agent", {
      params: { path: { run, number: session }, header },
      body: { command_id: commandId, agent, model: model.trim() || null, options: {} },
    }),
  );
}
