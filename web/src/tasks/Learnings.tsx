/** What a task was told by those before it, and what it found out itself. */

import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { calledOf } from "@/plans/work";
import classes from "@/tasks/task.module.css";
import { Safe } from "@/ui/Safe";
import { Section } from "@/ui/Section";

type Learning = Schemas["Learning"];

const PHRASES: Readonly<Record<Learning["learning"], string>> = {
  worked: "worked",
  unexpected: "unexpected",
  next: "for later tasks",
};

interface Props {
  readonly threadId: string;
  readonly got: readonly Learning[];
  readonly made: readonly Learning[];
}

/** Show learnings: those got with the task that each is from, then its own. */
export function Learnings({ threadId, got, made }: Props) {
  return (
    <>
      <Section title="From earlier tasks">
        <List threadId={threadId} learnings={got} none="No learnings from earlier tasks." />
      </Section>
      <Section title="From this task">
        <List threadId={threadId} learnings={made} none="None recorded yet." />
      </Section>
    </>
  );
}

interface ListProps {
  readonly threadId: string;
  readonly learnings: readonly Learning[];
  readonly none: string;
}

function List({ threadId, learnings, none }: ListProps) {
  if (learnings.length === 0) {
    return <p className="dim">{none}</p>;
  }
  return (
    <ul className="plain-list">
      {learnings.map((one) => (
        <li key={`${one.task_id} ${one.run} ${one.text}`} className={classes.row}>
          {one.task_id !== "" && (
            <Link className="mono" href={`/threads/${threadId}/tasks/${one.task_id}`}>
              {calledOf(one.task_id)}
            </Link>
          )}
          <span className="dim">{PHRASES[one.learning]}</span>
          <span className={classes.findingText}>
            <Safe text={one.text} />
          </span>
        </li>
      ))}
    </ul>
  );
}
