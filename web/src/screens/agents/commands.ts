/** What a person can do with agents: check one, install one, add one, trust a repository's. */

import { post, type Schemas } from "@/api/client";

/** Look at an agent, try it with one harmless turn, or install it. */
export function startCheck(
  commandId: string,
  name: string,
  kind: Schemas["CheckKind"],
  repository: string,
) {
  return post(
    "/v1/agents/{name}/{kind}",
    { name, kind },
    { command_id: commandId, repository: repository || null },
  );
}

/** Let a repository's agent be started, as its file is now. */
export function trustAgent(agent: Schemas["AgentStatus"], repository: string) {
  return post(
    "/v1/agents/{name}/trust",
    { name: agent.name },
    { repository, content_hash: agent.content_hash ?? "" },
  );
}

/** Add an agent of the person's own: a program that speaks ACP. */
export function addAgent(agent: Schemas["NewAgentBody"]) {
  return post("/v1/agents", {}, agent);
}
