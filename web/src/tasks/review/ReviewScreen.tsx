/** The review of a task's change: evidence, then the change, then the decision. */

import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Problem, type Schemas } from "@/api/client";
import { FileFilter, useFileFilter } from "@/diff/FileFilter";
import type { FilePatch } from "@/diff/patch";
import { DiffSourceContext, useSource } from "@/diff/whole_file";
import { plural } from "@/format";
import { Changes, Strays } from "@/tasks/review/Changes";
import { type Draft, draftsOf } from "@/tasks/review/comments";
import { Evidence } from "@/tasks/review/Evidence";
import { FileTree } from "@/tasks/review/FileTree";
import { type Cursor, fileAt, openFile } from "@/tasks/review/jumps";
import { useReviewKeys } from "@/tasks/review/keys";
import { useLooked } from "@/tasks/review/looked";
import { ReviewHeader } from "@/tasks/review/ReviewHeader";
import { ReviewTray } from "@/tasks/review/ReviewTray";
import classes from "@/tasks/review/screen.module.css";
import { useGate } from "@/tasks/review/useGate";
import { useNotes } from "@/tasks/review/useNotes";
import { usePatch, usePatchBetween } from "@/tasks/review/usePatch";
import { type ReviewLayout, type Since, useReviewLayout } from "@/tasks/review/useReviewLayout";
import { useSuggestions } from "@/tasks/review/useSuggestions";
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
  const [hasRead, setHasRead] = useState(false);
  const looked = useLooked(threadId, task.task_id, commit, hasRead);
  const other = looked === task.reviewed ? null : looked;
  const look = useReviewLayout(isReworked, other !== null);
  const { task_id: id, reviewed } = task;
  const base = usePatch(threadId, id, look.since === "base" ? commit : null, "base");
  const since = usePatch(threadId, id, isReworked ? commit : null, "review", reviewed);
  const fresh = usePatchBetween(threadId, look.since === "looked" ? other : null, commit);
  const shown = { base, review: since, looked: fresh }[look.since];
  const isRead = commit === null || (shown.files !== null && shown.error === null);
  if (isRead !== hasRead) {
    setHasRead(isRead);
  }
  const gate = useGate(threadId, present, { isShown: !isStale, isRead });
  const story = useStory(threadId, task.task_id);
  const onApplied = useRef<(drafts: readonly Draft[]) => void>(() => {});
  const suggestions = useSuggestions({
    threadId,
    task,
    gate,
    story,
    onApplied: (drafts) => onApplied.current(drafts),
  });
  useRework(isStale && (gate.isAnswered || suggestions.isAccepted), look, onAdopt);
  const viewed = useViewed(threadId, task.task_id);
  const notes = useNotes({
    threadId,
    task,
    since: since.files,
    isSinceShown: look.since === "review",
    apply: suggestions.apply,
  });
  onApplied.current = notes.without;
  const scroller = useRef<HTMLElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const all = shown.files ?? NO_FILES;
  const filter = useFileFilter(all);
  const { files } = filter;
  const field = useRef<HTMLInputElement>(null);
  useReviewKeys({
    scroller,
    files,
    cursor,
    setCursor,
    setCurrent,
    viewed,
    begin: notes.begin,
    look,
    field,
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
  const from = { base: task.snapshot?.base, review: reviewed, looked: other }[look.since];
  const source = useSource(threadId, commit, from);
  const range = `${from?.slice(0, 12)} ${commit?.slice(0, 12)}`;
  const planted = task.snapshot?.planted ?? [];
  return (
    <Worktree thread={threadId} of={{ task: task.task_id }}>
      <div className={classes.screen}>
        <ReviewHeader
          threadId={threadId}
          task={task}
          look={look}
          hasLooked={other !== null}
          viewed={all.filter(viewed.has).length}
          files={all.length}
          comments={notes.count}
          isStale={isStale}
          onAdopt={() => {
            gate.adopt();
            onAdopt();
          }}
        />
        <div className={classes.panes}>
          <nav className={classes.tree} aria-label="Files" data-pane>
            {all.length > 1 && <FileFilter filter={filter} all={all.length} field={field} />}
            <Folded count={files.length}>
              <FileTree
                files={files}
                viewed={viewed}
                current={current}
                planted={planted}
                commentsIn={(path) => draftsOf(notes.drafts, path).length}
                onOpen={open}
              />
            </Folded>
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
            {shown.files?.length === 0 && <Nothing since={look.since} />}
            {all.length > 0 && files.length === 0 && <p className="dim">No files match.</p>}
            <DiffSourceContext value={source}>
              <Changes
                files={files}
                look={look.look}
                viewed={viewed}
                planted={planted}
                notes={notes}
                cursor={cursor}
                onCursor={setCursor}
                range={range}
              />
            </DiffSourceContext>
            {shown.files !== null && <Strays files={all} notes={notes} />}
          </section>
        </div>
        <ReviewTray
          threadId={threadId}
          task={present}
          isStale={isStale}
          gate={gate}
          drafts={notes.drafts}
          suggestions={suggestions}
          commit={commit ?? ""}
          onSent={notes.clear}
        />
      </div>
    </Worktree>
  );
}

/** The files, which a narrow screen shows when they are asked for. */
function Folded({ count, children }: { readonly count: number; readonly children: ReactNode }) {
  const isNarrow = useMediaQuery("(max-width: 900px)", false, { getInitialValueInEffect: false });
  return isNarrow ? (
    <details>
      <summary className={classes.filesHead}>{plural(count, "file")}</summary>
      {children}
    </details>
  ) : (
    children
  );
}

const NO_FILES: readonly FilePatch[] = [];

const NOTHING: Readonly<Record<Since, readonly [string, string]>> = {
  base: ["No changes", "The agent has not changed any files."],
  review: ["No changes since your review", "Changes appear when the agent's turn ends."],
  looked: ["No changes since you last looked", "Changes appear when the agent's turn ends."],
};

function Nothing({ since }: { readonly since: Since }) {
  const [title, text] = NOTHING[since];
  return <Empty title={title} text={text} />;
}

/** After one's own answer go to what the agent made of it: its diff and its request together. */
function useRework(isReworked: boolean, look: ReviewLayout, onAdopt: () => void): void {
  const newest = useRef({ look, onAdopt });
  newest.current = { look, onAdopt };
  useEffect(() => {
    if (isReworked) {
      newest.current.look.showSince("review");
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
