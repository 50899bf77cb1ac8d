/** The candidates of a task in words, and what each did to which file; pure. */

import type { Schemas } from "../../api/client.ts";
import { plural } from "../../format.ts";

type Candidate = Schemas["CandidateView"];

/** Say who a candidate is: `codex` or `treadle:qwen3`. */
export function agentOf({ agent, model }: Pick<Candidate, "agent" | "model">): string {
  return model ? `${agent}:${model}` : agent;
}

/** Say how its verification went: `3 passed`, `2 passed, failed: tests`. */
export function checksOf({ attempts, passed, failed }: Candidate): string {
  if (attempts === 0) {
    return "";
  }
  return [`${passed} passed`, failed.length > 0 ? `failed: ${failed.join(", ")}` : ""]
    .filter((part) => part !== "")
    .join(", ");
}

/** Say what reviewers found: `1 major, 2 minor`. */
export function findingsOf({ findings }: Candidate): string {
  return Object.entries(findings)
    .map(([severity, count]) => `${count} ${severity}`)
    .join(", ");
}

/** Say how large its change is. */
export function changeOf({ commit, insertions, deletions, files }: Candidate): string {
  return commit === "" ? "" : `+${insertions} −${deletions} in ${plural(files, "file")}`;
}

/** Return the files that some of several changed, in order, each once. */
export function filesOf(changes: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(changes.flat())].sort((one, other) => one.localeCompare(other, "en"));
}
