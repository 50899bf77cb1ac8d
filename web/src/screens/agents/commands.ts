/** What a person can do with agents: check one, install one, add one, trust a repository's. */

import { api, body, header, type Schemas } from "@/api/client";

/** Look at an agent, try it with one harmless turn, or install it. */
export function startCheck(
  commandId: string,
  name: string,
  kind: Schemas["CheckKind"],
  repository: string,
) {
  return body(
    api.POST("/v1/agents/{name}/{kind}", {
      params: { path: { name, kind }, header },
      body: { command_id: commandId, repository: repository || null },
    }),
  );
}

/** Let a repository's agent be started, as its file is now. */
export function trustAgent(agent: Schemas["AgentStatus"], repository: string) {
  return body(
    api.POST("/v1/agents/{name}/trust", {
      params: { path: { name: agent.name }, header },
      body: { repository, content_hash: agent.content_hash ?? "" },
    }),
  );
}

/** Add an agent of the person's own: a program that speaks ACP. */
export function addAgent(agent: Schemas["NewAgentBody"]) {
  return body(api.POST("/v1/agents", { params: { header }, body: agent }));
}
