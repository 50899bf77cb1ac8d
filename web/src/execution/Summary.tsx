/** What a plan came to: shown once it is over, with what a person does next. */

import { Button, CopyButton } from "@mantine/core";
import classes from "@/execution/execution.module.css";
import type { ThreadView } from "@/plan/models";
import { lengthOf } from "@/ui/Ago";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly thread: ThreadView;
}

/** Say how a plan ended, where its work is, and how to take it over; nothing while it goes on. */
export function Summary({ thread }: Props) {
  const status = thread.plan_status;
  if (status !== "completed" && status !== "cancelled") {
    return null;
  }
  const merge = `git merge ${thread.branch}`;
  return (
    <section className={classes.summary} aria-label="Summary">
      <p className={classes.summaryActions}>
        <Status status={status} /> {factsOf(thread).join(" · ")}
      </p>
      {status === "cancelled" && thread.summary && (
        <p>
          <Safe text={thread.summary} />
        </p>
      )}
      <p>
        The work is on the branch <code>{thread.branch}</code>; your checkout is as it was.
      </p>
      <span className={classes.summaryActions}>
        <CopyButton value={merge}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? "Copied" : `Copy “${merge}”`}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          component="a"
          href={`/v1/threads/${thread.thread_id}/export?format=md`}
          target="_blank"
          rel="noopener"
        >
          Export
        </Button>
        <span className="dim">Publish, and more, are in the thread's menu ⋮</span>
      </span>
    </section>
  );
}

/** Return what is counted of a plan that is over. */
function factsOf(thread: ThreadView): string[] {
  const files = new Set(thread.tasks.flatMap((task) => task.snapshot?.files ?? []));
  const ends = thread.tasks.map((task) => task.ended_at ?? "").sort();
  const last = ends.at(-1) || thread.changed_at;
  const first = thread.opened_at;
  return [
    `${thread.progress.done} of ${thread.progress.total} tasks`,
    ...(first && last ? [`${lengthOf(Date.parse(last) - Date.parse(first))} in all`] : []),
    ...(files.size > 0 ? [files.size === 1 ? "1 file" : `${files.size} files`] : []),
    ...(thread.learnings.length > 0 ? [`${thread.learnings.length} learned`] : []),
  ];
}
