/** The candidates of a task in words, and what each did to which file; pure. */

import type { Schemas } from "../../api/client.ts";
import { formatDuration, plural } from "../../format.ts";
import { spentOf } from "../../ui/money.ts";

type Candidate = Schemas["CandidateView"];

/** Say who a candidate is: `codex` or `treadle:qwen3`. */
export function agentOf({ agent, model }: { agent: string; model?: string | null }): string {
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

/** Say how many tokens it took, in and out: `16.5K in, 630 out`. */
export function shortTokensOf({ stats }: Pick<Candidate, "stats">): string {
  const { prompt_tokens: put, completion_tokens: out } = stats;
  return put + out === 0 ? "" : `${SHORT.format(put)} in, ${SHORT.format(out)} out`;
}

const SHORT = new Intl.NumberFormat("en", { notation: "compact" });

/** What is compared in words, by the head of its column. */
const COMPARED: readonly (readonly [string, (candidate: Candidate) => string])[] = [
  ["Checks", checksOf],
  ["Findings", findingsOf],
  ["Changes", changeOf],
  ["Time", ({ work_ms: time }) => (time > 0 ? formatDuration(time) : "")],
  ["Tokens", shortTokensOf],
  ["Cost", ({ stats }) => spentOf(stats.money)],
];

/** Return the columns that have something to say of a candidate. */
export function columnsOf(candidates: readonly Candidate[]): typeof COMPARED {
  return COMPARED.filter(([, words]) => candidates.some((candidate) => words(candidate) !== ""));
}

/** Files that are taken of others than the candidate whose work it begins with. */
export interface Parts {
  readonly candidate: string;
  readonly files: readonly string[];
}

/** Return the parts that were picked, by candidate; `picks` says of a file whose it is.
 *
 * `wasOf` says how a file was called that a candidate renamed: that is taken, too, so it goes with it.
 */
export function partsOf(
  base: string,
  picks: Readonly<Record<string, string>>,
  wasOf: (candidate: string, file: string) => string | null = () => null,
): readonly Parts[] {
  const named = Object.entries(picks);
  const old = named.flatMap(([file, candidate]) => {
    const was = wasOf(candidate, file);
    return was === null || was in picks ? [] : [[was, candidate] as const];
  });
  const found = new Map<string, string[]>();
  for (const [file, candidate] of [...named, ...new Map(old)]) {
    if (candidate !== base) {
      found.set(candidate, [...(found.get(candidate) ?? []), file]);
    }
  }
  return [...found].map(([candidate, files]) => ({ candidate, files }));
}

/** Return the files that some of several changed, in order, each once. */
export function filesOf(changes: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(changes.flat())].sort((one, other) => one.localeCompare(other, "en"));
}

/** Return the command that shows a file's change where the page has not all of it. */
export function gitDiff(
  source: { readonly commit: string; readonly base: string } | null,
  path: string,
): string {
  const ends = [source?.base ?? "", source?.commit ?? ""].filter((one) => one !== "");
  const commits = ends.map((one) => one.slice(0, 12)).join(" ");
  const verb = ends.length === 2 ? "diff" : "show";
  return `git ${verb} ${commits} -- '${path.replaceAll("'", "'\\''")}'`;
}
