/** The head of a review: what is compared with what, how far the reader is. */

import { Alert, Button, SegmentedControl } from "@mantine/core";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { LookControls } from "@/diff/LookControls";
import { plural } from "@/format";
import { calledOf } from "@/plans/work";
import classes from "@/tasks/review/screen.module.css";
import type { ReviewLayout, Since } from "@/tasks/review/useReviewLayout";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly threadId: string;
  readonly task: Schemas["TaskView"];
  readonly look: ReviewLayout;
  /** This browser has shown earlier work of the task. */
  readonly hasLooked: boolean;
  readonly viewed: number;
  readonly files: number;
  readonly comments: number;
  /** Another change is there than the one that is shown. */
  readonly isStale: boolean;
  readonly onAdopt: () => void;
}

/** Show the title line of a review. */
export function ReviewHeader(props: Props) {
  const { threadId, task, look, hasLooked, viewed, files, comments, isStale, onAdopt } = props;
  const isReworked = task.reviewed !== null && task.reviewed !== task.snapshot?.commit;
  const choices: { readonly value: Since; readonly label: string }[] = [
    { value: "base", label: "All changes" },
    ...(isReworked ? [{ value: "review" as const, label: "Since your last review" }] : []),
    ...(hasLooked ? [{ value: "looked" as const, label: "Since you last looked" }] : []),
  ];
  return (
    <header className={classes.head}>
      <div className={classes.headLine}>
        <Link href={`/threads/${threadId}/tasks/${task.task_id}`} className={classes.back}>
          ‹ Task
        </Link>
        <h1 className={classes.title}>
          Review <span className="mono dim">{calledOf(task.task_id)}</span>{" "}
          <Safe text={task.title} />
        </h1>
        {choices.length > 1 && (
          <SegmentedControl
            aria-label="Compare"
            value={look.since}
            onChange={look.showSince}
            data={choices}
          />
        )}
        <LookControls settings={look} />
        <span className={classes.counts}>
          {viewed} of {files} viewed
          {comments > 0 && ` · ${plural(comments, "comment")}`}
        </span>
      </div>
      <div className={`${classes.headLine} ${classes.hints} dim`}>
        <span>j/k file</span> <span>n/p hunk</span> <span>Alt+↑↓ line</span>{" "}
        <span>c or click a line number: comment</span> <span>Ctrl-click: open in your editor</span>{" "}
        <span>v viewed</span> <span>s split</span> <span>w whitespace</span>{" "}
        <span>/ find files</span>
      </div>
      {isStale && (
        <Alert color="orange" variant="light" title="Changed since you opened it" role="alert">
          Newer work is available. Your comments are saved.{" "}
          <Button variant="default" onClick={onAdopt}>
            Show newest
          </Button>
        </Alert>
      )}
    </header>
  );
}
