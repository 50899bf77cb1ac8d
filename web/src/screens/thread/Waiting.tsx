/** What waits for a person in a session and in its thread, over the composer: never scrolled away. */

import { ChevronDown, ChevronRight, Diamond } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { CommandStateContext } from "@/api/commands";
import { useInbox } from "@/api/queries";
import { QuestionCard } from "@/conversation/transcript/QuestionCard";
import { AmendmentCard } from "@/plans/AmendmentCard";
import { ApproveBar } from "@/plans/ApproveBar";
import { DecisionCard } from "@/plans/DecisionCard";
import { PlanAgain } from "@/plans/PlanAgain";
import type { Tab } from "@/screens/thread/sessions";
import classes from "@/screens/thread/thread.module.css";
import { type Wait, waitsOf } from "@/screens/thread/waiting";
import ConflictCard from "@/tasks/review/ConflictCard";
import { SetUpCard } from "@/tasks/SetUpCard";
import { AnsweredElsewhere } from "@/ui/AnsweredElsewhere";
import { KindIcon } from "@/ui/KindIcon";
import { useKeptHeight } from "@/ui/kept_height";
import { PlanningFailureText } from "@/ui/PlanningFailureText";
import { Safe } from "@/ui/Safe";
import { Scroller } from "@/ui/Scroller";
import { useScrollAnchor } from "@/ui/scroll_anchor";

type ThreadView = Schemas["ThreadView"];

interface Props {
  readonly thread: ThreadView;
  readonly tab: Tab;
}

/** Show all that waits, one card of it open: the next opens when the open one was answered here. */
export function Waiting({ thread, tab }: Props) {
  const items = useInbox().data?.items ?? [];
  const waits = waitsOf(thread, tab.view.session_id, items);
  const [isOpen, setOpen] = useState(true);
  if (waits.length === 0) {
    return null;
  }
  return (
    <section className={classes.waiting} aria-label="Needs you">
      <h2 className="visually-hidden">Needs you</h2>
      <button
        type="button"
        className={classes.waitingHead}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        <Diamond size={12} aria-hidden />
        Needs you · {waits.length}
      </button>
      {isOpen && <Cards thread={thread} waits={waits} />}
    </section>
  );
}

interface CardsProps {
  readonly thread: ThreadView;
  readonly waits: readonly Wait[];
}

const keyOf = ({ key }: Wait) => key;

function Cards({ thread, waits }: CardsProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const answered = waits.filter(({ kind }) => kind !== "page");
  const [held, setHeld] = useState<string | null>(chosen);
  const { gone, own, note } = useScrollAnchor(answered, keyOf, held);
  const open = gone ?? answered.find(({ key }) => key === chosen) ?? answered[0];
  if (open !== undefined && open.key !== held) {
    setHeld(open.key);
  }
  const height = useKeptHeight(place, open !== undefined && gone === null);
  const rest = waits.filter((wait) => wait !== open);
  const choose = (key: string) => {
    setChosen(key);
    setHeld(key);
    place.current?.focus();
  };
  return (
    <div className={classes.cards}>
      {open && (
        <Scroller key="open" place={place} className={classes.openCard}>
          <CommandStateContext value={(state) => note(open.key, state)}>
            {gone === null ? (
              <Card key={open.key} threadId={thread.thread_id} wait={open} thread={thread} />
            ) : (
              <AnsweredElsewhere own={own} height={height} onNext={() => setHeld(null)} />
            )}
          </CommandStateContext>
        </Scroller>
      )}
      {rest.length > 0 && (
        <div className={classes.waitList}>
          <Scroller>
            <ul className="plain-list">
              {rest.map((wait) => (
                <li key={wait.key}>
                  <Row wait={wait} onOpen={choose} />
                </li>
              ))}
            </ul>
          </Scroller>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  readonly wait: Wait;
  readonly onOpen: (key: string) => void;
}

/** One more thing that waits: it leads to its page, or opens here. */
function Row({ wait, onOpen }: RowProps) {
  const content = (
    <>
      <KindIcon kind={wait.kind === "page" ? wait.icon : wait.kind} />
      <span className={classes.waitKind}>{wait.kind === "page" ? wait.word : wait.kind}</span>
      <span className="ellipsis">
        <Safe text={wait.name} />
      </span>
      <ChevronRight size={14} aria-hidden />
    </>
  );
  return wait.kind === "page" ? (
    <Link href={wait.href} className={classes.wait}>
      {content}
    </Link>
  ) : (
    <button type="button" className={classes.wait} onClick={() => onOpen(wait.key)}>
      {content}
    </button>
  );
}

interface CardProps {
  readonly threadId: string;
  readonly thread: ThreadView;
  readonly wait: Wait;
}

function Card({ threadId, thread, wait }: CardProps) {
  switch (wait.kind) {
    case "question":
      return <QuestionCard threadId={threadId} question={wait.open} />;
    case "plan first?":
      return (
        <div className={classes.suggestion}>
          <p>
            <strong>This is a larger change. Plan first?</strong> <Safe text={wait.name} />
          </p>
          <ApproveBar threadId={threadId} request={wait.request} />
        </div>
      );
    case "decision":
      return (
        <DecisionCard
          threadId={threadId}
          decision={wait.decision}
          wait={thread.running.waits[wait.decision.id]}
        />
      );
    case "amendment":
      return <AmendmentCard threadId={threadId} amendment={wait.amendment} tasks={thread.tasks} />;
    case "conflict":
      return <ConflictCard threadId={threadId} found={wait.found} />;
    case "set-up failed":
      return <SetUpCard thread={thread} />;
    case "plan again":
      return (
        <div className={classes.suggestion}>
          <div className={classes.unplanned}>
            <strong>{wait.name}</strong>:{" "}
            <PlanningFailureText reason={thread.planning_failure || wait.reason} />
          </div>
          <PlanAgain key={wait.since} threadId={threadId} since={wait.since} />
        </div>
      );
    case "page":
      return null;
  }
}
