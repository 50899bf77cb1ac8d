/** Commands about a conversation, sent to whom it belongs: thread, task or flow run. */

import { api, body, header, Problem, type Schemas } from "@/api/client";

/** Where a turn or session belongs, read from its id: `THREAD/session-1`, `THREAD/TASK/session-1`. */
export interface Owner {
  readonly top: string;
  readonly task: string | null;
  readonly number: number;
}

/** Return whom a session or turn belongs to. */
export function ownerOf(id: string): Owner {
  const [top = "", second = "", third = ""] = id.split("/");
  const ofTop = /^session-(\d+)$/.exec(second);
  const ofTask = /^session-(\d+)/.exec(third);
  return ofTop
    ? { top, task: null, number: Number(ofTop[1]) }
    : { top, task: second, number: Number(ofTask?.[1] ?? 0) };
}

/** End a turn's wait for its provider. */
export function skipWait(commandId: string, turnId: string): Promise<Schemas["Answer"]> {
  const { top, task, number } = ownerOf(turnId);
  const payload = { command_id: commandId };
  if (top.startsWith("flow-")) {
    const path = { run: top, number };
    return body(
      api.POST("/v1/flow-runs/{run}/sessions/{number}/skip-wait", {
        params: { path, header },
        body: payload,
      }),
    );
  }
  if (task !== null) {
    const path = { thread: top, task };
    return body(
      api.POST("/v1/threads/{thread}/tasks/{task}/skip-wait", {
        params: { path, header },
        body: payload,
      }),
    );
  }
  const path = { thread: top, number };
  return body(
    api.POST("/v1/threads/{thread}/sessions/{number}/skip-wait", {
      params: { path, header },
      body: payload,
    }),
  );
}

/** Stop the turn that a session is in; what it did stays. */
export function stopTurn(commandId: string, sessionId: string): Promise<Schemas["Answer"]> {
  const { top, task, number } = ownerOf(sessionId);
  const payload = { command_id: commandId };
  if (top.startsWith("flow-")) {
    return Promise.reject(
      new Problem("wrong_state", "Not available here", "stop the flow run instead"),
    );
  }
  if (task !== null) {
    const path = { thread: top, task };
    return body(
      api.POST("/v1/threads/{thread}/tasks/{task}/stop", {
        params: { path, header },
        body: payload,
      }),
    );
  }
  const path = { thread: top, number };
  return body(
    api.POST("/v1/threads/{thread}/sessions/{number}/stop", {
      params: { path, header },
      body: payload,
    }),
  );
}
