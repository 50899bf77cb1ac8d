/** Evidence in one line: what passed, what did not, how large the change is. */

import { plural } from "@/format";
import type { Evidence } from "@/tasks/evidence";
import classes from "@/tasks/task.module.css";

/** Show evidence; failed optional steps are not hidden by passed ones. */
export function EvidenceLine({ evidence }: { readonly evidence: Evidence }) {
  const { passed, failed, failedOptional, findings, insertions, deletions, files } = evidence;
  return (
    <span className={classes.evidence}>
      {evidence.attempt === null && <span className="dim">not verified yet</span>}
      {evidence.attempt !== null && passed + failed + failedOptional === 0 && (
        <span className="dim">no verification steps</span>
      )}
      {passed > 0 && <span data-tone="ok">✓ {plural(passed, "step")} passed</span>}
      {failed > 0 && <span data-tone="fail">✗ {failed} failed</span>}
      {failedOptional > 0 && <span data-tone="wait">✗ {failedOptional} optional failed</span>}
      {findings > 0 && <span data-tone="wait">⚑ {plural(findings, "finding")}</span>}
      <span className="mono">
        <span data-tone="ok">+{insertions}</span> <span data-tone="fail">−{deletions}</span> in{" "}
        {plural(files, "file")}
      </span>
    </span>
  );
}
