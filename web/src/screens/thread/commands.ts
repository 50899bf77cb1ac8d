/** What a person does with a thread as a whole and with its sessions: one command each. */

import { api, body, header, type Schemas } from "@/api/client";

type Answer = Schemas["Answer"];

/** The commands that need no further word. */
export type PlainCommand = "pause" | "resume" | "cancel" | "abort-all" | "archive" | "unarchive";

/** Carry out a command that needs no further word. */
export function plain(commandId: string, thread: string, what: PlainCommand): Promise<Answer> {
  const options = { params: { path: { thread }, header }, body: { command_id: commandId } };
  switch (what) {
    case "pause":
      return body(api.POST("/v1/threads/{thread}/pause", options));
    case "resume":
      return body(api.POST("/v1/threads/{thread}/resume", options));
    case "cancel":
      return body(api.POST("/v1/threads/{thread}/cancel", options));
    case "abort-all":
      return body(api.POST("/v1/threads/{thread}/abort-all", options));
    case "archive":
      return body(api.POST("/v1/threads/{thread}/archive", options));
    case "unarchive":
      return body(api.POST("/v1/threads/{thread}/unarchive", options));
  }
}

/** Call the thread something else. */
export function rename(commandId: string, thread: string, topic: string): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/rename", {
      params: { path: { thread }, header },
      body: { command_id: commandId, topic },
    }),
  );
}

/** Say something to a session. */
export function say(
  commandId: string,
  session: { readonly thread: string; readonly id: string },
  text: string,
  attachments: readonly Schemas["Attachment"][] = [],
): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/messages", {
      params: { path: { thread: session.thread }, header },
      body: { command_id: commandId, text, session_id: session.id, attachments: [...attachments] },
    }),
  );
}

/** Open one more session. */
export function openSession(
  commandId: string,
  thread: string,
  wanted: Partial<Schemas["SessionBody"]>,
): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/sessions", {
      params: { path: { thread }, header },
      body: { options: {}, has_own_worktree: true, ...wanted, command_id: commandId },
    }),
  );
}

/** What a session is switched to. */
export interface Switched {
  readonly agent: string;
  readonly model: string | null;
  readonly options: Record<string, string | boolean>;
}

/** Give a session another agent, model or option, from its next turn on. */
export function switchAgent(
  commandId: string,
  thread: string,
  number: number,
  to: Switched,
): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/sessions/{number}/switch-agent", {
      params: { path: { thread, number }, header },
      body: { command_id: commandId, ...to },
    }),
  );
}

/** Put a session's newest changes onto the thread's branch. */
export function keep(commandId: string, thread: string, number: number): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/sessions/{number}/merge", {
      params: { path: { thread, number }, header },
      body: { command_id: commandId },
    }),
  );
}

/** Push the thread's branch, as it was shown, and open a pull request where that is wanted and possible. */
export function publish(
  commandId: string,
  thread: string,
  wanted: {
    readonly remote: string;
    readonly wantsPullRequest: boolean;
    readonly commit: string;
  },
): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/publish", {
      params: { path: { thread }, header },
      body: {
        command_id: commandId,
        remote: wanted.remote,
        address: "",
        wants_pull_request: wanted.wantsPullRequest,
        commit: wanted.commit,
      },
    }),
  );
}

/** Merge the thread's branch, as it was shown, into the branch that the thread began on. */
export function merge(
  commandId: string,
  thread: string,
  shown: { readonly commit: string; readonly target_commit: string },
): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/merge", {
      params: { path: { thread }, header },
      body: { command_id: commandId, ...shown },
    }),
  );
}

/** Remove the thread with all that it holds. */
export function remove(
  commandId: string,
  thread: string,
  isForced: boolean,
): Promise<Schemas["Deletion"]> {
  return body(
    api.DELETE("/v1/threads/{thread}", {
      params: { path: { thread }, header },
      body: { command_id: commandId, is_forced: isForced },
    }),
  );
}

/** Begin a new thread with the files of a moment of this one. */
export function fork(
  commandId: string,
  thread: string,
  position: number,
  stream: string | null,
): Promise<Schemas["OpenedThread"]> {
  return body(
    api.POST("/v1/threads/{thread}/forks", {
      params: { path: { thread }, header },
      body: { command_id: commandId, position, stream },
    }),
  );
}
