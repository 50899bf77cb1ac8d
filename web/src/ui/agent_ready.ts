/** Whether an agent could work; pure. */

import type { Schemas } from "@/api/client";

/** Tell whether an agent could work now, as far as is known. */
export function isReady(agent: Schemas["AgentStatus"]): boolean {
  return (
    (agent.problem ?? "") === "" &&
    (agent.is_trusted ?? true) &&
    !(agent.missing ?? []).some((each) => each.is_in_the_way)
  );
}
