/** What a reviewing agent found: file, line, how grave, and in words. */

import type { Schemas } from "@/api/client";
import classes from "@/tasks/task.module.css";
import { Safe } from "@/ui/Safe";

const TONES: Readonly<Record<Schemas["Severity"], string>> = {
  blocker: "fail",
  major: "fail",
  minor: "wait",
  note: "idle",
};

/** Show the findings of a review; nothing where there are none. */
export function Findings({ findings }: { readonly findings: readonly Schemas["Finding"][] }) {
  if (findings.length === 0) {
    return null;
  }
  return (
    <ul className={classes.findings} aria-label="Findings">
      {findings.map((finding) => (
        <li key={`${finding.file}:${finding.line}:${finding.text}`}>
          <span className={classes.severity} data-tone={TONES[finding.severity]}>
            {finding.severity}
          </span>
          <code className="break-anywhere">
            <Safe text={finding.file === "" ? "general" : finding.file} />
            {finding.line != null && `:${finding.line}`}
          </code>
          <span className={classes.findingText}>
            <Safe text={finding.text} />
          </span>
        </li>
      ))}
    </ul>
  );
}
