/** What a new thread begins with, before anything is chosen; pure. */

import type { Schemas } from "@/api/client";
import { isReady } from "../../ui/agent_ready.ts";

type AgentStatus = Schemas["AgentStatus"];

/**
 * Return the agent to begin with: the engine's default where that is ready, which is the empty name; else the ready
 * one that was used last, else the first; one that plays a script only where it was used before and no other is ready.
 * Null where none is.
 */
export function suggestedAgent(
  agents: readonly AgentStatus[],
  used: readonly string[],
): string | null {
  const ready = agents.filter((agent) => !agent.is_hidden && isReady(agent));
  if (ready.some((agent) => agent.is_default)) {
    return "";
  }
  const real = ready.filter((agent) => !agent.is_scripted);
  const lastOf = (some: readonly AgentStatus[]) =>
    used.find((name) => some.some((agent) => agent.name === name));
  return lastOf(real) ?? real[0]?.name ?? lastOf(ready) ?? null;
}

/** Return the agents to set up, those that are nearest to being ready first: installed ones, then those with a fix. */
export function toSetUp(agents: readonly AgentStatus[]): readonly AgentStatus[] {
  const shown = agents.filter((agent) => !agent.is_hidden && !agent.is_scripted);
  const distance = (agent: AgentStatus) =>
    (agent.is_installed ? 0 : 10) +
    (agent.missing ?? []).filter((each) => each.is_in_the_way).length;
  return shown.toSorted((one, other) => distance(one) - distance(other));
}
