/** What a person can say about a task, each as one command of the API. */

import { api, body, header, type Schemas } from "@/api/client";

/** A comment on a line of a task's diff, as the API takes it. */
export type LineComment = Schemas["CommentBody"];

/** Which commands a task takes that need no further word. */
export type PlainCommand = "abort" | "stop" | "skip-wait";

/** A decision on what a request shows: it binds to the request and the hash of its content. */
export interface Verdict {
  readonly threadId: string;
  readonly request: Schemas["ApprovalRequest"];
  readonly choice: "approve" | "reject";
  readonly feedback?: string;
  readonly comments?: readonly LineComment[];
}

/** Approve or reject. */
export function decide(commandId: string, verdict: Verdict): Promise<Schemas["Answer"]> {
  return body(
    api.POST("/v1/threads/{thread}/approvals", {
      params: { path: { thread: verdict.threadId }, header },
      body: {
        command_id: commandId,
        request_id: verdict.request.request_id,
        content_hash: verdict.request.content_hash,
        choice: verdict.choice,
        feedback: verdict.feedback ?? "",
        comments: [...(verdict.comments ?? [])],
        is_acknowledged: false,
        note: "",
      },
    }),
  );
}

/** Abort the task, stop its turn, or end its wait for a provider. */
export function command(
  commandId: string,
  thread: string,
  task: string,
  what: PlainCommand,
): Promise<Schemas["Answer"]> {
  const options = {
    params: { path: { thread, task }, header },
    body: { command_id: commandId },
  };
  switch (what) {
    case "abort":
      return body(api.POST("/v1/threads/{thread}/tasks/{task}/abort", options));
    case "stop":
      return body(api.POST("/v1/threads/{thread}/tasks/{task}/stop", options));
    case "skip-wait":
      return body(api.POST("/v1/threads/{thread}/tasks/{task}/skip-wait", options));
  }
}

/** Run the task again; with a position from its newest checkpoint until then. */
export function retry(
  commandId: string,
  thread: string,
  task: string,
  position: number | null = null,
): Promise<Schemas["Answer"]> {
  return body(
    api.POST("/v1/threads/{thread}/tasks/{task}/retry", {
      params: { path: { thread, task }, header },
      body: { command_id: commandId, position },
    }),
  );
}

/** An agent, and its model where it is not the agent's own. */
export interface ChosenAgent {
  readonly agent: string;
  readonly model: string | null;
}

/** Give the task's session another agent or model. */
export function switchAgent(
  commandId: string,
  thread: string,
  task: string,
  chosen: ChosenAgent,
): Promise<Schemas["Answer"]> {
  return body(
    api.POST("/v1/threads/{thread}/tasks/{task}/switch-agent", {
      params: { path: { thread, task }, header },
      body: { command_id: commandId, ...chosen, options: {} },
    }),
  );
}

/** Open one more session of the task. */
export function openSession(
  commandId: string,
  thread: string,
  task: string,
  chosen: { readonly agent: string | null; readonly model: string | null },
): Promise<Schemas["Answer"]> {
  return body(
    api.POST("/v1/threads/{thread}/tasks/{task}/sessions", {
      params: { path: { thread, task }, header },
      body: { command_id: commandId, ...chosen, options: {}, has_own_worktree: true },
    }),
  );
}

/** Say how the conflict of a task's merge is resolved, as it is shown. */
export function resolveConflict(
  commandId: string,
  thread: string,
  found: Schemas["ShownConflict"],
  how: Schemas["ConflictChoice"],
): Promise<Schemas["Answer"]> {
  return body(
    api.POST("/v1/threads/{thread}/tasks/{task}/conflict", {
      params: { path: { thread, task: found.conflict.task_id }, header },
      body: { command_id: commandId, how, content_hash: found.content_hash },
    }),
  );
}

/** A message to a task's agent. */
export interface Message {
  readonly threadId: string;
  readonly taskId: string;
  readonly session: string;
  readonly text: string;
  readonly files: readonly Schemas["Attachment"][];
}

/** Say something to a session of the task; answers what the engine said. */
export async function say(commandId: string, message: Message): Promise<string> {
  const answer = await body(
    api.POST("/v1/threads/{thread}/tasks/{task}/messages", {
      params: { path: { thread: message.threadId, task: message.taskId }, header },
      body: {
        command_id: commandId,
        text: message.text,
        session_id: message.session,
        attachments: [...message.files],
      },
    }),
  );
  return answer.message;
}
