/** The one command that answers a request: bound to the hash of what is shown. */

import { api, body, header } from "@/api/client";
import { type Command, useCommand } from "@/api/commands";
import type { Subject } from "@/api/unsent";
import type { ApprovalRequest, Autonomy } from "@/plans/models";

/** What a person says to a request. */
export interface Answer {
  readonly choice: "approve" | "reject";
  readonly feedback?: string;
  readonly isAcknowledged?: boolean;
  /** How freely the approved plan runs; as plan and template say where it is left out. */
  readonly autonomy?: Autonomy | null;
}

/** Return what is answered, and where the words of a rejection are kept. */
export function subjectOf(threadId: string, request: ApprovalRequest, taskId = ""): Subject {
  const { request_id: requestId, title } = request;
  return { requestId, title, threadId, taskId, draft: `feedback.${threadId}.${requestId}` };
}

/** Return the command that approves or rejects what a request shows. */
export function useDecide(
  request: ApprovalRequest,
  subject: Subject,
): Command<[Answer], { message: string }> {
  return useCommand(
    (commandId: string, answer: Answer) =>
      body(
        api.POST("/v1/threads/{thread}/approvals", {
          params: { header, path: { thread: subject.threadId } },
          body: {
            command_id: commandId,
            request_id: request.request_id,
            content_hash: request.content_hash,
            choice: answer.choice,
            feedback: answer.feedback ?? "",
            comments: [],
            is_acknowledged: answer.isAcknowledged ?? false,
            autonomy: answer.autonomy ?? null,
            note: "",
          },
        }),
      ),
    subject,
  );
}
