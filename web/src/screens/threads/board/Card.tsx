/** A card of the board: what a thread is, where it stands, and what happened last. */

import { memo, type ReactNode } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { shownStatus } from "@/api/lines";
import classes from "@/screens/threads/board/board.module.css";
import { Ago } from "@/ui/Ago";
import { IssueLink } from "@/ui/IssueLink";
import { briefCostOf, spentOf } from "@/ui/money";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly line: Schemas["ThreadLine"];
  readonly isActive: boolean;
  /** What the inbox asks of it; empty for nothing. */
  readonly asks: string;
  readonly menu: ReactNode;
}

/** Show a thread; the last line of agents while they work, else what a person is asked. */
export const ThreadCard = memo(function ThreadCard({ line, isActive, asks, menu }: Props) {
  const stop = isActive ? 0 : -1;
  const status = shownStatus({ status: line.shown_status, isWorking: line.is_working });
  const asked = line.waiting_for || asks;
  const isAsking = asked !== "";
  const said = asked || line.last_line;
  return (
    <article className={classes.card}>
      <div className={classes.head}>
        <span className={classes.mark}>
          <Status status={status} word="" />
        </span>
        <Link href={`/threads/${line.thread_id}`} tabIndex={stop} className={classes.title}>
          <Safe text={line.title || line.goal || line.thread_id} />
        </Link>
        {menu}
      </div>
      {said !== "" && (
        <p className={classes.said} data-asks={isAsking} title={said}>
          <Safe text={said} />
        </p>
      )}
      <Figures line={line} />
      <div className={classes.facts}>
        <span className={classes.place}>
          <span className="mono" title={line.project}>
            {line.project.split("/").at(-1)}
          </span>
          {line.agent !== "" && <span>{line.agent}</span>}
          {line.issue && <IssueLink issue={line.issue} tabIndex={stop} />}
          {line.opened_by !== "" && (
            <span>
              by <Safe text={line.opened_by} />
            </span>
          )}
        </span>
        <Ago at={line.changed_at ?? null} isShort />
      </div>
    </article>
  );
});

function Figures({ line }: Pick<Props, "line">) {
  const hasChange = line.insertions + line.deletions > 0;
  const spent = spentOf(line.money);
  if (line.total === 0 && !hasChange && spent === "") {
    return null;
  }
  const share = line.total > 0 ? Math.round((100 * line.done) / line.total) : 0;
  return (
    <div className={classes.figures}>
      {line.total > 0 && (
        <>
          {line.done < line.total && (
            <span className={classes.track} aria-hidden>
              <span style={{ width: `${share}%` }} />
            </span>
          )}
          <span>
            {line.done}/{line.total}
            {line.done < line.total ? (
              <span className="visually-hidden"> tasks done</span>
            ) : (
              " tasks"
            )}
          </span>
        </>
      )}
      {hasChange && (
        <span className="mono">
          <span className="ok">+{line.insertions}</span>{" "}
          <span className="fail">−{line.deletions}</span>
        </span>
      )}
      {spent !== "" && (
        <span className="mono dim" title={`Cost of its turns: ${spent}`}>
          {briefCostOf(line.money)}
        </span>
      )}
    </div>
  );
}
