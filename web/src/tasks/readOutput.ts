/** What a terminal or a service has said up to now, from where the API has it. */

import { get } from "@/api/client";
import { addressOf } from "@/tasks/output";

/** Read the newest output of a stream `THREAD/OWNER/terminal-N` or `…/service-N`. */
export function readOutput(threadId: string, stream: string) {
  const { thread, kind, name, number } = addressOf(threadId, stream);
  if (/\/service-\d+$/.test(stream)) {
    return get("/v1/threads/{thread}/tasks/{task}/services/{number}/output", {
      path: { thread, task: name, number },
    });
  }
  return get("/v1/threads/{thread}/{kind}/{name}/terminals/{number}/output", {
    path: { thread, kind, name, number },
  });
}
