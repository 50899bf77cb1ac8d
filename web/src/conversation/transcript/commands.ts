/** Commands about a conversation, sent to whom it belongs: thread, task or flow run. */

import { Problem, post, type Schemas } from "@/api/client";
import { commandTask } from "@/api/thread_commands";

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
export function skipWait(command_id: string, turnId: string): Promise<Schemas["Answer"]> {
  const { top, task, number } = ownerOf(turnId);
  if (task !== null) {
    return commandTask(command_id, top, task, "skip-wait");
  }
  return top.startsWith("flow-")
    ? post("/v1/flow-runs/{run}/sessions/{number}/skip-wait", { run: top, number }, { command_id })
    : post(
        "/v1/threads/{thread}/sessions/{number}/skip-wait",
        { thread: top, number },
        { command_id },
      );
}

/** Stop the turn that a session is in; what it did stays. */
export function stopTurn(command_id: string, sessionId: string): Promise<Schemas["Answer"]> {
  const { top, task, number } = ownerOf(sessionId);
  if (top.startsWith("flow-")) {
    return Promise.reject(
      new Problem("wrong_state", "Not available here", "stop the flow run instead"),
    );
  }
  return task === null
    ? post("/v1/threads/{thread}/sessions/{number}/stop", { thread: top, number }, { command_id })
    : commandTask(command_id, top, task, "stop");
}
