/** Commands on a flow run. */

import { post, type Schemas } from "@/api/client";

/** Stop a run at once, archive it, or take it out of the archive. */
export function commandRun(
  command_id: string,
  run: string,
  command: "stop" | "archive" | "unarchive",
) {
  return post(`/v1/flow-runs/{run}/${command}`, { run }, { command_id });
}

/** Answer what a step asks: bound to the question as it is shown. */
export function answer(
  command_id: string,
  run: string,
  asked: Schemas["OpenFlowRequest"],
  label: string,
) {
  const { request, content_hash } = asked;
  const hasOptions = (request.options ?? []).length > 0;
  return post(
    "/v1/flow-runs/{run}/answer",
    { run },
    {
      command_id,
      request_id: request.request_id,
      content_hash,
      option: hasOptions ? label : "",
      text: hasOptions ? "" : label,
    },
  );
}
