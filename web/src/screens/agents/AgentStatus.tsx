/** How an agent stands, in one word. */

import type { Schemas } from "@/api/client";
import { isReady } from "@/ui/AgentPicker";
import { Status } from "@/ui/Status";

/** Say whether an agent could work now, and what is in its way otherwise. */
export function AgentStatus({ agent }: { readonly agent: Schemas["AgentStatus"] }) {
  if (agent.problem) {
    return <Status status="failed" word="broken" />;
  }
  if (agent.is_hidden) {
    return <span className="dim">hidden</span>;
  }
  if (agent.is_trusted === false) {
    return <Status status="waiting" word="not trusted" />;
  }
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
