/** What speaks for a change before anybody reads it: verification first, then the agent's own words. */

import type { Schemas } from "@/api/client";
import { plural } from "@/format";
import { Attempt } from "@/tasks/Attempt";
import { EvidenceLine } from "@/tasks/EvidenceLine";
import { evidenceOf } from "@/tasks/evidence";
import classes from "@/tasks/review/screen.module.css";
import { Markdown } from "@/ui/Markdown";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly task: Schemas["TaskView"];
  /** Files that were in the workspace and are not part of the change. */
  readonly discarded: readonly string[];
}

/** Show the evidence of a task's newest attempt. */
export function Evidence({ task, discarded }: Props) {
  const attempt = task.attempts.at(-1);
  const planted = task.snapshot?.planted ?? [];
  const judges = task.snapshot?.judges ?? [];
  return (
    <section className={classes.evidence} aria-label="Evidence">
      <EvidenceLine evidence={evidenceOf(task)} />
      {attempt && <Attempt key={attempt.attempt} attempt={attempt} steps={[]} isOpen />}
      {planted.length > 0 && (
        <Named
          tone="fail"
          title={`⚠ ${plural(planted.length, "changed file")} can run code`}
          files={planted}
        />
      )}
      {judges.length > 0 && (
        <Named
          tone="fail"
          title={`⚠ ${plural(judges.length, "changed file")} used for verification or agent instructions`}
          files={judges}
        />
      )}
      {(task.doubts ?? []).map((doubt) => (
        <p key={doubt} className={classes.doubt}>
          ⚠ <Safe text={doubt} />
        </p>
      ))}
      {discarded.length > 0 && (
        <Named
          tone="wait"
          title={`${plural(discarded.length, "file")} discarded: a read-only turn cannot change files`}
          files={discarded}
        />
      )}
      {task.report.trim() !== "" && (
        <details open className={classes.report}>
          <summary>Agent's summary</summary>
          <Markdown text={task.report} />
        </details>
      )}
    </section>
  );
}

interface NamedProps {
  readonly tone: string;
  readonly title: string;
  readonly files: readonly string[];
}

function Named({ tone, title, files }: NamedProps) {
  return (
    <details className={classes.named} data-tone={tone} open={files.length < 6}>
      <summary>{title}</summary>
      <ul>
        {files.map((file) => (
          <li key={file} className="mono">
            <Safe text={file} />
          </li>
        ))}
      </ul>
    </details>
  );
}
