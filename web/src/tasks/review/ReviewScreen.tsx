/** The review of a task's change: evidence, then the change, then the decision. */

import { useCallback, useEffect, useRef, useState } from "react";
import { Problem, type Schemas } from "@/api/client";
import { Changes, Strays } from "@/tasks/review/Changes";
import { Evidence } from "@/tasks/review/Evidence";
import { FileTree } from "@/tasks/review/FileTree";
import { type Cursor, fileAt, openFile } from "@/tasks/review/jumps";
import { useReviewKeys } from "@/tasks/review/keys";
import { ReviewHeader } from "@/tasks/review/ReviewHeader";
import { ReviewTray } from "@/tasks/review/ReviewTray";
import classes from "@/tasks/review/screen.module.css";
import { useGate } from "@/tasks/review/useGate";
import { useNotes } from "@/tasks/review/useNotes";
import { usePatch } from "@/tasks/review/usePatch";
import { type ReviewLayout, useReviewLayout } from "@/tasks/review/useReviewLayout";
import { useViewed } from "@/tasks/review/viewed_files";
import { useStory } from "@/tasks/useStory";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Worktree } from "@/ui/OpenIn";

interface Props {
  readonly threadId: string;
  /** The task as it was when the review was opened, or what waits now was asked for. */
  readonly task: Schemas["TaskView"];
  /** The task as it is. */
  readonly present: Schemas["TaskView"];
  /** What is shown is not the task's newest work. */
  readonly isStale: boolean;
  readonly onAdopt: () => void;
}

/** Show a review; what is read stays as it is until the reader asks for what is new. */
export function ReviewScreen({ threadId, task, present, isStale, onAdopt }: Props) {
  const commit = task.snapshot?.commit ?? null;
  const isReworked = task.reviewed !== null && task.reviewed !== commit;
  const look = useReviewLayout(isReworked);
  const base = usePatch(threadId, task.task_id, look.isSince ? null : commit, "base");
  const since = usePatch(
    threadId,
    task.task_id,
    isReworked ? commit : null,
    "review",
    task.reviewed,
  );
  const shown = look.isSince ? since : base;
  const isRead = commit === null || (shown.files !== null && shown.error === null);
  const gate = useGate(threadId, present, { isShown: !isStale, isRead });
  useRework(isStale && gate.isAnswered, look, onAdopt);
  const viewed = useViewed(threadId, task.task_id);
  const story = useStory(threadId, task.task_id);
  const notes = useNotes({ threadId, task, since: since.files, isSinceShown: look.isSince });
  const scroller = useRef<HTMLElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const files = shown.files ?? [];
  useReviewKeys({
    scroller,
    files,
    cursor,
    setCursor,
    setCurrent,
    viewed,
    begin: notes.begin,
    look,
  });
  const open = useCallback((path: string) => {
    setCurrent(path);
    if (scroller.current) {
      openFile(scroller.current, path);
    }
  }, []);
  const noteFile = useNowAndThen(() => {
    if (scroller.current) {
      setCurrent(fileAt(scroller.current));
    }
  });
  const range = `${(look.isSince ? task.reviewed : task.snapshot?.base)?.slice(0, 12)} ${commit?.slice(0, 12)}`;
  const planted = task.snapshot?.planted ?? [];
  return (
    <Worktree thread={threadId} of={{ task: task.task_id }}>
      <div className={classes.screen}>
        <ReviewHeader
          threadId={threadId}
          task={task}
          look={look}
          viewed={files.filter(viewed.has).length}
          files={files.length}
          comments={notes.count}
          isStale={isStale}
          onAdopt={() => {
            gate.adopt();
            onAdopt();
          }}
        />
        <div className={classes.panes}>
          <nav className={classes.tree} aria-label="Files" data-pane>
            <FileTree
              files={files}
              viewed={viewed}
              current={current}
              planted={planted}
              commentsIn={(path) => notes.drafts[path]?.length ?? 0}
              onOpen={open}
            />
          </nav>
          <section
            ref={scroller}
            className={classes.scroller}
            data-scroller
            data-pane
            aria-label="Change"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            onScroll={noteFile}
          >
            <Evidence task={task} discarded={story.discarded} />
            <Failure
              problem={shown.error instanceof Problem ? shown.error : null}
              onRetry={() => void shown.refetch()}
            />
            {shown.files === null && !shown.error && <p className="dim">Loading changes…</p>}
            {shown.files?.length === 0 && <Nothing isSince={look.isSince} />}
            <Changes
              files={files}
              isSplit={look.isSplit}
              viewed={viewed}
              planted={planted}
              notes={notes}
              cursor={cursor}
              onCursor={setCursor}
              range={range}
            />
            {shown.files !== null && <Strays files={files} notes={notes} />}
          </section>
        </div>
        <ReviewTray
          threadId={threadId}
          task={present}
          isStale={isStale}
          gate={gate}
          drafts={notes.drafts}
          onSent={notes.clear}
        />
      </div>
    </Worktree>
  );
}

function Nothing({ isSince }: { readonly isSince: boolean }) {
  return (
    <Empty
      title={isSince ? "No changes since your review" : "No changes"}
      text={
        isSince
          ? "Changes appear when the agent's turn ends."
          : "The agent has not changed any files."
      }
    />
  );
}

/** After one's own answer go to what the agent made of it: its diff and its request together. */
function useRework(isReworked: boolean, look: ReviewLayout, onAdopt: () => void): void {
  const newest = useRef({ look, onAdopt });
  newest.current = { look, onAdopt };
  useEffect(() => {
    if (isReworked) {
      newest.current.look.showSince(true);
      newest.current.onAdopt();
    }
  }, [isReworked]);
}

const PAUSE_MS = 150;

/** Return a function that does something at most once in a while. */
function useNowAndThen(act: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      act();
    }, PAUSE_MS);
  };
}
