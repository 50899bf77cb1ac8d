/** Commands on the sessions of a thread. */

import { post, type Schemas } from "@/api/client";

/** Open one more session. */
export function openSession(
  command_id: string,
  thread: string,
  wanted: Partial<Schemas["SessionBody"]>,
) {
  const payload = { options: {}, has_own_worktree: true, ...wanted, command_id };
  return post("/v1/threads/{thread}/sessions", { thread }, payload);
}

/** The agent, model and options that a session is switched to. */
export type AgentSwitch = Omit<Schemas["SwitchBody"], "command_id">;

/** Give a session another agent, model or option, from its next turn on. */
export function switchAgent(command_id: string, thread: string, number: number, to: AgentSwitch) {
  const place = { thread, number };
  return post("/v1/threads/{thread}/sessions/{number}/switch-agent", place, { command_id, ...to });
}

/** Merge a session's newest changes into the thread's branch. */
export function mergeSession(command_id: string, thread: string, number: number) {
  return post("/v1/threads/{thread}/sessions/{number}/merge", { thread, number }, { command_id });
}
