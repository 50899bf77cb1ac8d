/** One thread of the list, with what can be done to it. */

import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { shownStatus } from "@/api/lines";
import { ThreadActions } from "@/screens/threads/ThreadActions";
import classes from "@/screens/threads/threads.module.css";
import { Ago } from "@/ui/Ago";
import { Bar } from "@/ui/Bar";
import { IssueLink } from "@/ui/IssueLink";
import { briefCostOf, spentOf } from "@/ui/money";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly line: Schemas["ThreadLine"];
  readonly isActive: boolean;
  readonly onAsk: (what: "rename" | "delete", line: Schemas["ThreadLine"]) => void;
}

/** Show a thread; only the active row's controls are Tab stops. */
export function ThreadRow({ line, isActive, onAsk }: Props) {
  const stop = isActive ? 0 : -1;
  const status = shownStatus({ status: line.shown_status, isWorking: line.is_working });
  return (
    <div className={classes.row}>
      <span className={classes.status}>
        <Status status={status} />
      </span>
      <span className={classes.words}>
        <Link href={`/threads/${line.thread_id}`} tabIndex={stop} className={classes.title}>
          <Safe text={line.title || line.goal || line.thread_id} />
        </Link>
        <span className={classes.place}>
          <span className="mono" title={line.project}>
            {line.project.split("/").at(-1)}
          </span>
          {line.issue && <IssueLink issue={line.issue} tabIndex={stop} />}
          {line.opened_by !== "" && (
            <span className={classes.program}>
              by <Safe text={line.opened_by} />
            </span>
          )}
          {line.waiting_for !== "" && (
            <span className={classes.waits}>
              <Safe text={line.waiting_for} />
            </span>
          )}
        </span>
      </span>
      <span className={classes.figures}>
        {spentOf(line.money) !== "" && (
          <span
            className={`mono dim ${classes.cost}`}
            title={`Cost of its turns: ${spentOf(line.money)}`}
          >
            {briefCostOf(line.money)}
          </span>
        )}
        {line.total > 0 && <Bar done={line.done} total={line.total} />}
        {line.insertions + line.deletions > 0 && (
          <span className={`mono ${classes.changes}`}>
            <span data-tone="ok">+{line.insertions}</span>{" "}
            <span data-tone="fail">−{line.deletions}</span>
          </span>
        )}
      </span>
      <span className={classes.changed}>
        <Ago at={line.changed_at ?? null} suffix=" ago" />
      </span>
      <ThreadActions line={line} stop={stop} onAsk={onAsk} />
    </div>
  );
}
