/** What waits for a person in a session and in its thread, over the composer: never scrolled away. */

import { ChevronDown, ChevronRight, Diamond } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Schemas } from "@/api/client";
import { clipped } from "@/live/fold/wording";
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
  const { decisions, conflicts } = thread;
  const names = [
    ...questions.map(({ question }) => question.header || question.title),
    ...suggestions.map(() => "plan first?"),
    ...decisions.map((decision) => decision.header || decision.question),
    ...amendments.map((amendment) => amendment.amendment_id.replace("-", " ")),
    ...conflicts.map(({ conflict }) => `conflict of ${conflict.task_id}`),
  ];
  if (names.length === 0 || tab.view.is_archived) {
    return null;
  }
  return (
    <Tray key={names.join()} names={names}>
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
      {decisions.map((decision) => (
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
      {conflicts.map((found) => (
        <ConflictCard key={found.conflict.task_id} threadId={id} found={found} />
      ))}
    </Tray>
  );
}

interface TrayProps {
  readonly names: readonly string[];
  readonly children: ReactNode;
}

/** Holds the cards; folded it still says what waits, and what is new unfolds it. */
function Tray({ names, children }: TrayProps) {
  const [isOpen, setOpen] = useState(true);
  const count = names.length === 1 ? "1 waits for you" : `${names.length} wait for you`;
  return (
    <section className={classes.waiting} aria-label="Waits for you">
      <h2 className="visually-hidden">Waits for you</h2>
      <button
        type="button"
        className={classes.waitingHead}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        <Diamond size={12} aria-hidden />
        {count}
        <span className={classes.waitingNames}>
          <Safe text={names.map((name) => clipped(name, 40)).join(" · ")} />
        </span>
      </button>
      {isOpen && <div className={classes.cards}>{children}</div>}
    </section>
  );
}
