/** What a person can do with a flow: trust its file, run it. */

import { api, body, header, type Schemas } from "@/api/client";

/** Let a repository's flow run its commands, as its file is now. */
export function trustFlow(flow: Schemas["FlowRow"], repository: string) {
  return body(
    api.POST("/v1/flows/trust", {
      params: { header },
      body: {
        flow: `${flow.scope}:${flow.name}`,
        repository,
        content_hash: flow.content_hash ?? "",
      },
    }),
  );
}

/** What a run is begun with; empty texts are left out. */
export interface RunWish {
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

/** Begin a run, put it into the queue, or go on with an earlier one. */
export function runFlow(commandId: string, flow: string, wish: RunWish) {
  const given = (text: string) => (text.trim() === "" ? null : text.trim());
  return body(
    api.POST("/v1/flows/{name}/runs", {
      params: { path: { name: flow }, header },
      body: {
        command_id: commandId,
        working_folder: given(wish.folder),
        agents: { ...wish.agents },
        agent: given(wish.agent),
        model: given(wish.model),
        custom_title: given(wish.title),
        queue: wish.isQueued,
        priority: wish.priority,
        after: [],
        conversation_id: given(wish.resumed),
        resume_step_index: given(wish.step) === null ? null : Number(wish.step),
      },
    }),
  );
}
