/** What a person can do with a flow: trust its file, run it. */

import { post, type Schemas } from "@/api/client";

/** Let a repository's flow run its commands, as its file is now. */
export function trustFlow(flow: Schemas["FlowRow"], repository: string) {
  return post(
    "/v1/flows/trust",
    {},
    {
      flow: `${flow.scope}:${flow.name}`,
      repository,
      content_hash: flow.content_hash ?? "",
    },
  );
}

/** What a run is begun with; empty texts are left out. */
export interface RunRequest {
  readonly folder: string;
  readonly agents: Readonly<Record<string, Schemas["ChosenAgentBody"]>>;
  readonly agent: string;
  readonly model: string;
  readonly title: string;
  readonly isQueued: boolean;
  readonly priority: number;
  readonly resumed: string;
  readonly step: string;
}

/** Begin a run, put it into the queue, or continue an earlier one. */
export function runFlow(commandId: string, flow: string, request: RunRequest) {
  const given = (text: string) => (text.trim() === "" ? null : text.trim());
  return post(
    "/v1/flows/{name}/runs",
    { name: flow },
    {
      command_id: commandId,
      working_folder: given(request.folder),
      agents: { ...request.agents },
      agent: given(request.agent),
      model: given(request.model),
      custom_title: given(request.title),
      queue: request.isQueued,
      priority: request.priority,
      after: [],
      host: "",
      labels: [],
      conversation_id: given(request.resumed),
      resume_step_index: given(request.step) === null ? null : Number(request.step),
    },
  );
}
