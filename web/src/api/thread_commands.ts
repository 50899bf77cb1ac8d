/** Commands on threads and their tasks that several screens send. */

import { post, type Schemas } from "@/api/client";

/** The commands on a thread that take no arguments. */
export type ThreadCommand = "pause" | "resume" | "cancel" | "abort-all" | "archive" | "unarchive";

/** Send a command on a thread. */
export function commandThread(command_id: string, thread: string, command: ThreadCommand) {
  return post(`/v1/threads/{thread}/${command}`, { thread }, { command_id });
}

/** Rename a thread. */
export function renameThread(command_id: string, thread: string, topic: string) {
  return post("/v1/threads/{thread}/rename", { thread }, { command_id, topic });
}

/** Plan the goal of a thread again. */
export function planAgain(command_id: string, thread: string) {
  return post("/v1/threads/{thread}/plans", { thread }, { command_id, rivals: [] });
}

/** Whether plans of a thread start without approval. */
export function setAutoApproval(command_id: string, thread: string, is_on: boolean) {
  return post("/v1/threads/{thread}/auto-run", { thread }, { command_id, is_on });
}

/** How many more turns a thread's agent may take without a message. */
export function setOwnTurns(command_id: string, thread: string, turns: number) {
  return post("/v1/threads/{thread}/own-turns", { thread }, { command_id, turns });
}

/** Ask a planner for a change of the running plan. */
export function requestAmendment(
  command_id: string,
  thread: string,
  text: string,
  agent: { readonly agent?: string; readonly model?: string } = {},
) {
  return post(
    "/v1/threads/{thread}/amendment-requests",
    { thread },
    { command_id, text, ...agent },
  );
}

/** Abort a task, stop its turn, or end its wait for a provider. */
export function commandTask(
  command_id: string,
  thread: string,
  task: string,
  command: "abort" | "stop" | "skip-wait",
) {
  return post(`/v1/threads/{thread}/tasks/{task}/${command}`, { thread, task }, { command_id });
}

/** Run a task again; with a position from its newest checkpoint until then. */
export function retryTask(
  command_id: string,
  thread: string,
  task: string,
  position: number | null = null,
) {
  return post(
    "/v1/threads/{thread}/tasks/{task}/retry",
    { thread, task },
    { command_id, position },
  );
}

/** The session that gets a message; without `session_id` the one that works. */
export interface Recipient {
  readonly thread: string;
  readonly task?: string;
  readonly session_id?: string;
}

/** Send a message to an agent of a thread or of one of its tasks. */
export function sendMessage(
  command_id: string,
  { thread, task, ...to }: Recipient,
  text: string,
  files: readonly Schemas["Attachment"][] = [],
) {
  const payload = { command_id, text, ...to, attachments: [...files] };
  return task
    ? post("/v1/threads/{thread}/tasks/{task}/messages", { thread, task }, payload)
    : post("/v1/threads/{thread}/messages", { thread }, payload);
}
