/** What a task changed: its files, those that others change as well, those that make tools run something. */

import { Fragment } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { plural } from "@/format";
import classes from "@/tasks/task.module.css";
import { changeAddress } from "@/ui/addresses";
import { LinkButton } from "@/ui/LinkButton";
import { OpenFileIcon } from "@/ui/OpenIn";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly threadId: string;
  /** The task whose files these are; without one they are a chat session's. */
  readonly task: Schemas["TaskView"] | null;
  readonly files: readonly string[];
  readonly overlaps: readonly Schemas["ThreadView"]["overlaps"][number][];
  /** Who asks, as overlaps name it: a task's id or `session-1`. */
  readonly self: string;
}

/** Show changed files, each flagged where another session or task changed it too. */
export function Files({ threadId, task, files, overlaps, self }: Props) {
  const snapshot = task?.snapshot ?? null;
  const more = (snapshot?.file_count ?? 0) - files.length;
  if (files.length === 0) {
    return <p className="dim">No changed files yet. Files appear when a turn ends.</p>;
  }
  return (
    <>
      <div className={classes.row}>
        <span className={classes.grow}>
          {plural(Math.max(files.length, snapshot?.file_count ?? 0), "file")}
          {snapshot && (
            <span className="mono">
              {" "}
              <span className={classes.tone} data-tone="ok">
                +{snapshot.insertions}
              </span>{" "}
              <span className={classes.tone} data-tone="fail">
                −{snapshot.deletions}
              </span>
            </span>
          )}
        </span>
        {task && snapshot?.diff_ref && (
          <LinkButton to={`/threads/${threadId}/tasks/${task.task_id}/review`}>
            Review changes
          </LinkButton>
        )}
      </div>
      <ul className="plain-list" aria-label="Changed files">
        {files.map((file) => (
          <FileRow
            key={file}
            file={file}
            isPlanted={snapshot?.planted.includes(file) ?? false}
            others={overlaps.find((one) => one.file === file)?.by.filter((by) => by !== self) ?? []}
            threadId={threadId}
            of={task ? `tasks/${task.task_id}` : self}
          />
        ))}
      </ul>
      {more > 0 && (
        <p className="dim">and {plural(more, "more file")}: open the review to see all of them.</p>
      )}
    </>
  );
}

interface RowProps {
  readonly file: string;
  readonly isPlanted: boolean;
  readonly others: readonly string[];
  readonly threadId: string;
  /** Whose changes they are, as the address of the changes says it. */
  readonly of: string;
}

function FileRow({ file, isPlanted, others, threadId, of }: RowProps) {
  return (
    <li className={classes.row}>
      <span className={`mono ${classes.grow} break-anywhere`}>
        <Link href={changeAddress(threadId, of, file)}>
          <Safe text={file} />
        </Link>{" "}
        <OpenFileIcon file={file} />
      </span>
      {isPlanted && (
        <span className={classes.tone} data-tone="fail">
          ⚠ can run code
        </span>
      )}
      {others.length > 0 && (
        <span className={classes.tone} data-tone="wait">
          ⚑ also changed by{" "}
          {others.map((by, index) => (
            <Fragment key={by}>
              {index > 0 && ", "}
              {by.startsWith("session-") ? (
                <a href={`/threads/${threadId}?session=${threadId}/${by}`}>{by}</a>
              ) : (
                <a href={`/threads/${threadId}/tasks/${by}?tab=files`}>{by}</a>
              )}
            </Fragment>
          ))}
        </span>
      )}
    </li>
  );
}
