/** What waits for a person in a session and in its thread, over the composer: never scrolled away. */

import type { Schemas } from "@/api/client";
import { AmendmentCard } from "@/plan/AmendmentCard";
import { ApproveBar } from "@/plan/ApproveBar";
import { DecisionCard } from "@/plan/DecisionCard";
import { ConflictCard } from "@/review/ConflictCard";
import type { Tab } from "@/screens/thread/sessions";
import classes from "@/screens/thread/thread.module.css";
import { QuestionCard } from "@/transcript/QuestionCard";
import { Safe } from "@/ui/Safe";

type ThreadView = Schemas["ThreadView"];

interface Props {
  readonly thread: ThreadView;
  readonly tab: Tab;
}

/** Show the cards of what waits; plans and gates have places of their own. */
export function Waiting({ thread, tab }: Props) {
  const id = thread.thread_id;
  const questions = thread.questions.filter(
    (open) => open.question.session_id === tab.view.session_id,
  );
  const suggestions = thread.requests.filter(({ request }) => request.subject === "suggestion");
  const amendments = thread.amendments.filter(({ status }) => status === "open");
  const isEmpty =
    [questions, suggestions, amendments, thread.decisions, thread.conflicts].every(
      (each) => each.length === 0,
    ) || tab.view.is_archived;
  if (isEmpty) {
    return null;
  }
  return (
    <section className={classes.waiting} aria-label="Waits for you">
      {questions.map((open) => (
        <QuestionCard key={open.question.question_id} threadId={id} question={open} />
      ))}
      {suggestions.map(({ request }) => (
        <div key={request.request_id} className={classes.suggestion}>
          <p>
            <strong>A larger change: shall I plan first?</strong>{" "}
            <Safe text={request.title.replace(/^Plan first: /, "")} />
          </p>
          <ApproveBar threadId={id} request={request} />
        </div>
      ))}
      {thread.decisions.map((decision) => (
        <DecisionCard
          key={decision.id}
          threadId={id}
          decision={decision}
          wait={thread.running.waits[decision.id]}
        />
      ))}
      {amendments.map((amendment) => (
        <AmendmentCard
          key={amendment.amendment_id}
          threadId={id}
          amendment={amendment}
          tasks={thread.tasks}
        />
      ))}
      {thread.conflicts.map((found) => (
        <ConflictCard key={found.conflict.task_id} threadId={id} found={found} />
      ))}
    </section>
  );
}
