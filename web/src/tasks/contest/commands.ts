/** Commands on a task that several agents do at once. */

import { post } from "@/api/client";

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
