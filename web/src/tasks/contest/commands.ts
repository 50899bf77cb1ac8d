/** Commands on a task that several agents do at once. */

import { post } from "@/api/client";
import type { Parts } from "@/tasks/contest/rows";

/** Take the work of a candidate, as all of them were shown. */
export function takeCandidate(
  command_id: string,
  thread: string,
  candidate: string,
  shown: { readonly request_id: string; readonly content_hash: string },
) {
  const { request_id, content_hash } = shown;
  return post(
    "/v1/threads/{thread}/tasks/{task}/take",
    { thread, task: candidate },
    { command_id, request_id, content_hash },
  );
}

/** Make one more candidate of the work of one, with files of others. */
export function putTogether(
  command_id: string,
  thread: string,
  task: string,
  shown: { readonly request_id: string; readonly content_hash: string },
  base: string,
  parts: readonly Parts[],
) {
  const { request_id, content_hash } = shown;
  const files = parts.map((part) => ({ candidate: part.candidate, files: [...part.files] }));
  return post(
    "/v1/threads/{thread}/tasks/{task}/put-together",
    { thread, task },
    { command_id, request_id, content_hash, base, parts: files },
  );
}

/** Have one more agent do the task. */
export function addCandidate(
  command_id: string,
  thread: string,
  task: string,
  agent: string,
  model: string,
) {
  return post(
    "/v1/threads/{thread}/tasks/{task}/candidates",
    { thread, task },
    { command_id, agent, model: model === "" ? null : model },
  );
}
