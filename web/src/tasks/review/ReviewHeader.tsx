/** The head of a review: what is compared with what, how far the reader is. */

import { Alert, Button, SegmentedControl } from "@mantine/core";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { plural } from "@/format";
import { calledOf } from "@/plans/work";
import classes from "@/tasks/review/screen.module.css";
import type { ReviewLayout } from "@/tasks/review/useReviewLayout";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly threadId: string;
  readonly task: Schemas["TaskView"];
  readonly look: ReviewLayout;
  readonly viewed: number;
  readonly files: number;
  readonly comments: number;
  /** Another change is there than the one that is shown. */
  readonly isStale: boolean;
  readonly onAdopt: () => void;
}

/** Show the title line of a review. */
export function ReviewHeader(props: Props) {
  const { threadId, task, look, viewed, files, comments, isStale, onAdopt } = props;
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
        {task.reviewed !== null && task.reviewed !== task.snapshot?.commit && (
          <SegmentedControl
            aria-label="Compare"
            value={look.isSince ? "review" : "base"}
            onChange={(value) => look.showSince(value === "review")}
            data={[
              { value: "base", label: "All changes" },
              { value: "review", label: "Since your last review" },
            ]}
          />
        )}
        <SegmentedControl
          className={classes.wide ?? ""}
          aria-label="Columns"
          value={look.isSplit ? "split" : "unified"}
          onChange={look.toggleSplit}
          data={[
            { value: "unified", label: "Unified" },
            { value: "split", label: "Split" },
          ]}
        />
        <span className={classes.counts}>
          {viewed} of {files} viewed
          {comments > 0 && ` · ${plural(comments, "comment")}`}
        </span>
      </div>
      <div className={`${classes.headLine} ${classes.hints} dim`}>
        <span>j/k file</span> <span>n/p hunk</span> <span>Alt+↑↓ line</span>{" "}
        <span>c or click a line number: comment</span> <span>Ctrl-click: open in your editor</span>{" "}
        <span>v viewed</span> <span>s split</span>
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
