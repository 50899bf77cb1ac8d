/** The tray below a review: comments gathered, a word beside them, and the decision. */

import { Button, Checkbox, Textarea } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { useInbox } from "@/api/queries";
import { plural } from "@/format";
import { pressDecision } from "@/keyboard/decision_keys";
import { onModEnter } from "@/keyboard/mod_enter";
import { useKeys } from "@/keyboard/registry";
import { type Drafts, reviewText, sentOf } from "@/tasks/review/comments";
import { Changed, Waiting } from "@/tasks/review/GateParts";
import classes from "@/tasks/review/screen.module.css";
import { suggestionsIn } from "@/tasks/review/suggestions";
import type { Gate } from "@/tasks/review/useGate";
import type { Suggestions } from "@/tasks/review/useSuggestions";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
import { Kbd } from "@/ui/Kbd";
import { LinkButton } from "@/ui/LinkButton";
import { spentOf } from "@/ui/money";
import { Safe } from "@/ui/Safe";
import { UnsavedText } from "@/ui/UnsavedText";

const TermsSheet = lazy(() => import("@/plans/TermsSheet"));

interface Props {
  readonly threadId: string;
  readonly task: Schemas["TaskView"];
  /** What is shown is not the task's newest work: it cannot be decided. */
  readonly isStale: boolean;
  readonly gate: Gate;
  readonly drafts: Drafts;
  readonly suggestions: Suggestions;
  /** The commit that is shown. */
  readonly commit: string;
  readonly onSent: () => void;
}

/** Send what was written back to the agent, or approve. */
export function ReviewTray(props: Props) {
  const { threadId, task, isStale, gate, drafts, suggestions, commit, onSent } = props;
  const [word, setWord] = useDraft(`gate.${threadId}.${task.task_id}`);
  const [isSure, setSure] = useState(false);
  const comments = sentOf(drafts);
  const isSending = gate.state === "sending";
  const suggested = suggestionsIn(Object.values(drafts).flat(), commit);
  const hasWords = comments.length > 0 || word.trim() !== "";
  const sendBack = async () => {
    if (hasWords && (await gate.say("reject", word, comments))) {
      setWord("");
      onSent();
    }
  };
  const approve = () => {
    if (comments.length === 0 || isSure) {
      void gate.say("approve");
    }
  };
  const tray = useRef<HTMLElement>(null);
  useKeys("Gate", [
    { keys: "a", label: "Approve", run: () => pressDecision(tray.current, "approve") },
    {
      keys: "r",
      label: "Overall comment, to send as feedback",
      run: () => tray.current?.querySelector("textarea")?.focus(),
    },
  ]);
  if (gate.request === null) {
    const isOver = /^(completed|cancelled)$/.test(task.status);
    return (
      <section className={classes.tray} aria-label="Decide">
        <span className="dim">
          {suggestions.isAccepted ? APPLYING : isStale ? STALE : reasonNotToDecide(task)}
        </span>
        {hasWords && (
          <UnsavedText
            label="Your comments"
            why={isOver ? "Your comments were not sent." : NOT_YET}
            text={reviewText(word, comments)}
            isQuiet
            onDiscard={
              isOver
                ? () => {
                    setWord("");
                    onSent();
                  }
                : undefined
            }
          />
        )}
        <Next threadId={threadId} />
      </section>
    );
  }
  const cost = spentOf(task.money);
  const brief = (
    <>
      <Waiting request={gate.request} />
      {cost !== "" && ` · cost ${cost}`}
    </>
  );
  return (
    <section ref={tray} className={classes.tray} aria-label="Decide" data-approve-bar>
      {gate.isChanged && !isStale && <Changed task={task} onShow={gate.adopt} />}
      <Answers
        brief={brief}
        comments={comments.length}
        more={
          <>
            <Textarea
              className={classes.word ?? ""}
              aria-label="Overall comment"
              placeholder="Overall comment…"
              autosize
              minRows={1}
              maxRows={8}
              value={word}
              onChange={(event) => setWord(event.currentTarget.value)}
              onKeyDown={onModEnter(() => void sendBack())}
            />
            {comments.length > 0 && (
              <Checkbox
                size="xs"
                label="approve without sending the comments"
                checked={isSure}
                onChange={(event) => setSure(event.currentTarget.checked)}
              />
            )}
            {suggested.length > 0 && (
              <ForRole needs="author">
                <Button
                  variant="default"
                  disabled={suggestions.apply === null}
                  loading={suggestions.isSending}
                  onClick={() => suggestions.apply?.(Object.values(drafts).flat())}
                >
                  Apply {plural(suggested.length, "suggestion")}
                </Button>
              </ForRole>
            )}
            <ForRole needs="approver">
              <Button
                variant="default"
                disabled={!gate.canDecide || !hasWords}
                loading={isSending}
                rightSection={<Kbd keys="Mod+Enter" />}
                onClick={() => void sendBack()}
              >
                {comments.length > 0
                  ? `Send ${plural(comments.length, "comment")} as feedback`
                  : "Send feedback"}
              </Button>
            </ForRole>
          </>
        }
        approve={
          <ForRole needs="approver">
            <Button
              data-approve
              rightSection={<Kbd keys="A" />}
              disabled={!gate.canDecide || (comments.length > 0 && !isSure)}
              loading={isSending}
              onClick={approve}
            >
              {gate.state === "recorded" ? "Sent" : "Approve"}
            </Button>
          </ForRole>
        }
        last={
          <LinkButton to={`/threads/${threadId}/tasks/${task.task_id}?tab=recovery`}>
            Take over…
          </LinkButton>
        }
      />
      <div className={`dim ${classes.hint}`}>
        {brief} · feedback goes to the agent, and everything is verified again
      </div>
      {suggestions.failure !== "" && (
        <p role="alert">
          Nothing was applied: <Safe text={suggestions.failure} />
        </p>
      )}
      <Failure
        problem={suggestions.problem}
        note="Nothing was applied; your suggestions are saved."
      />
      <Failure problem={gate.problem} note="Nothing was decided; your comments are saved." />
    </section>
  );
}

interface AnswersProps {
  /** What a phone shows beside the answers. */
  readonly brief: ReactNode;
  readonly comments: number;
  readonly more: ReactNode;
  readonly approve: ReactNode;
  readonly last: ReactNode;
}

/** The answers in a line; on a phone what is at hand, and the rest in a sheet from below. */
function Answers({ brief, comments, more, approve, last }: AnswersProps) {
  const isPhone = useMediaQuery("(max-width: 760px)", false, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  if (!isPhone) {
    return (
      <div className={classes.trayLine}>
        {more}
        {approve}
        {last}
      </div>
    );
  }
  return (
    <div className={classes.phoneLine}>
      <span className={`dim ${classes.brief}`}>{brief}</span>
      <Button variant="default" onClick={() => setOpen(true)}>
        {comments > 0 ? `Feedback (${comments})…` : "Feedback…"}
      </Button>
      {approve}
      <Suspense>
        <TermsSheet title="Feedback" isOpen={isOpen} onClose={() => setOpen(false)}>
          {more}
          {last}
        </TermsSheet>
      </Suspense>
    </div>
  );
}

/** Where to go once there is nothing to decide here: what waits next, or the thread. */
function Next({ threadId }: { readonly threadId: string }) {
  const waiting = useInbox().data?.items.length ?? 0;
  return (
    <span className={classes.next}>
      {waiting > 0 && <Link href="/">Next in the inbox · {waiting}</Link>}
      <Link href={`/threads/${threadId}`}>Back to thread</Link>
    </span>
  );
}

const NOT_YET = "Your comments are not sent yet. They are saved for the next review of this task.";
const APPLYING = "Your suggestions are being applied; everything is verified again.";
const STALE = "Newer work is available: show it to decide.";

function reasonNotToDecide(task: Schemas["TaskView"]): string {
  if (task.status === "completed") {
    return "This change is merged and read-only.";
  }
  if (task.status === "running") {
    return task.activity === "merging"
      ? "Approved: the change is being merged."
      : "The task is running. You can decide once it is verified.";
  }
  return `The task is ${task.status}: there is nothing to decide.`;
}
