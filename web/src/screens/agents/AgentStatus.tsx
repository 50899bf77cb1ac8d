/** The status of an agent, in one word. */

import type { Schemas } from "@/api/client";
import { isReady } from "@/ui/agent_ready";
import { FileStatus } from "@/ui/FileStatus";
import { Status } from "@/ui/Status";

/** Say whether an agent could work now, and what is in its way otherwise. */
export function AgentStatus({ agent }: { readonly agent: Schemas["AgentStatus"] }) {
  return (
    <FileStatus
      isBroken={Boolean(agent.problem)}
      isHidden={agent.is_hidden ?? false}
      isTrusted={agent.is_trusted}
    >
      <Readiness agent={agent} />
    </FileStatus>
  );
}

function Readiness({ agent }: { readonly agent: Schemas["AgentStatus"] }) {
  if (isReady(agent)) {
    return <Status status="passed" word={agent.is_default ? "ready, default" : "ready"} />;
  }
  const first = (agent.missing ?? []).find((each) => each.is_in_the_way);
  return (
    <Status
      status="idle"
      word={agent.is_installed === false ? "not installed" : (first?.what ?? "not ready")}
    />
  );
}
