/** Commands on a thread's plans. */

import { post, type Schemas } from "@/api/client";
import { type Command, useCommand } from "@/api/commands";
import type { Subject } from "@/api/unsent";
import type { ApprovalRequest, Autonomy, Plan } from "@/plans/models";

/** A comment on a line of a task's diff, as the API takes it. */
export type LineComment = Schemas["CommentBody"];

/** A decision on an approval request. */
export interface Verdict {
  readonly choice: "approve" | "reject";
  readonly feedback?: string;
  readonly comments?: readonly LineComment[];
  readonly isAcknowledged?: boolean;
  /** How much the approved plan runs without asking; the plan and its template decide if left out. */
  readonly autonomy?: Autonomy | null;
}

/** Approve or reject what a request shows; bound to the hash of its content. */
export function decideRequest(
  command_id: string,
  thread: string,
  { request_id, content_hash }: ApprovalRequest,
  verdict: Verdict,
) {
  return post(
    "/v1/threads/{thread}/approvals",
    { thread },
    {
      command_id,
      request_id,
      content_hash,
      choice: verdict.choice,
      feedback: verdict.feedback ?? "",
      comments: [...(verdict.comments ?? [])],
      is_acknowledged: verdict.isAcknowledged ?? false,
      autonomy: verdict.autonomy ?? null,
      note: "",
    },
  );
}

/** Return what is decided, and where the text of a rejection is saved. */
export function subjectOf(threadId: string, request: ApprovalRequest, taskId = ""): Subject {
  const { request_id: requestId, title } = request;
  return { requestId, title, threadId, taskId, draft: `feedback.${threadId}.${requestId}` };
}

/** Return the command that approves or rejects what a request shows. */
export function useDecide(
  request: ApprovalRequest,
  subject: Subject,
): Command<[Verdict], { message: string }> {
  return useCommand(
    (id: string, verdict: Verdict) => decideRequest(id, subject.threadId, request, verdict),
    subject,
  );
}

/** Save a plan, or its handoff packet, as a person edited it: as a new revision. */
export function editPlan(
  command_id: string,
  thread: string,
  revision: number,
  { plan, handoff = null }: { readonly plan?: Plan; readonly handoff?: string | null },
) {
  return post(
    "/v1/threads/{thread}/plans/{revision}/edits",
    { thread, revision },
    { command_id, plan: plan ? { ...plan } : null, handoff },
  );
}

/** Have one more agent plan the same goal; without an agent it is the thread's. */
export function addPlanner(
  command_id: string,
  thread: string,
  agent: { readonly agent?: string; readonly model?: string; readonly context?: string | null },
) {
  return post("/v1/threads/{thread}/plans/planners", { thread }, { command_id, ...agent });
}
