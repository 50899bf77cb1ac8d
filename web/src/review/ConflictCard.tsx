/** A conflict of a task's merge: both sides, and the ways out in words (features.md I4). */

import { Button, Group } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import classes from "@/review/review.module.css";
import { resolveConflict } from "@/task/commands";
import { counted } from "@/task/evidence";
import { useArmed } from "@/ui/armed";
import { Failure } from "@/ui/Failure";
import { Status } from "@/ui/Status";

type Choice = Schemas["ConflictChoice"];
type OpenConflict = Schemas["OpenConflict"];

interface Props {
  readonly threadId: string;
  readonly found: OpenConflict;
  /** What the task is called, where the reader does not see it already. */
  readonly title?: string;
}

const WAYS: Readonly<Record<Choice, readonly [label: string, meaning: string]>> = {
  keep_a: ["Keep the branch's", "the branch's lines stay in these files; the task's go"],
  keep_b: ["Keep the task's", "the task's lines go into these files; the branch's go"],
  agent: [
    "Let an agent merge",
    "an agent joins both; the result is verified and waits at the gate",
  ],
  by_hand: ["Merge by hand", "a worktree with both sides is made for you"],
  done: ["It is resolved", "what you left in the worktree is verified"],
};

/** The answers that a conflict takes now, as the engine's rules have them. */
export function waysOf(stage: OpenConflict["stage"]): readonly Choice[] {
  if (stage === "preparing" || stage === "checking") {
    return [];
  }
  return [stage === "by_hand" ? "done" : "by_hand", "keep_a", "keep_b", "agent"];
}

const STAGES: Readonly<Record<OpenConflict["stage"], string>> = {
  asked: "waits for your choice",
  preparing: "a worktree for the work by hand is being made",
  by_hand: "waits for your merge by hand",
  checking: "what you merged is being looked at",
};

/** Show a conflict and take the answer to it. */
export function ConflictCard({ threadId, found, title }: Props) {
  const { conflict, stage } = found;
  const answer = useCommand((id: string, how: Choice) =>
    resolveConflict(id, threadId, conflict.task_id, how),
  );
  const isArmed = useArmed(`${conflict.commit} ${stage}`);
  const isBusy = answer.state === "sending" || answer.state === "recorded";
  return (
    <section className={classes.card} aria-label={`Conflict of ${title ?? conflict.task_id}`}>
      <div className={classes.cardHead}>
        <Status status="waiting" word="conflict" />
        <strong>{title ?? conflict.task_id}</strong>
        <span className="dim">{STAGES[stage]}</span>
      </div>
      <div className={classes.sides}>
        <Side name="A" what={`branch ${conflict.branch || "of the thread"}`} conflict={conflict} />
        <Side name="B" what={`task ${conflict.task_id}`} conflict={conflict} />
      </div>
      {found.path !== "" && stage === "by_hand" && (
        <p>
          Merge in <code>{found.path}</code>, then say that it is resolved.
        </p>
      )}
      {found.left.length > 0 && (
        <p role="alert">Still with conflict markers: {found.left.join(", ")}</p>
      )}
      {found.failure !== "" && <p role="alert">{found.failure}</p>}
      <ul className={classes.ways}>
        {waysOf(stage).map((how) => (
          <li key={how}>
            <Button
              variant="default"
              disabled={isBusy}
              onClick={() => isArmed() && void answer.send(how)}
            >
              {WAYS[how][0]}
            </Button>
            <span className="dim">{WAYS[how][1]}</span>
          </li>
        ))}
      </ul>
      <Group role="status">{answer.state === "recorded" ? "Recorded." : ""}</Group>
      <Failure problem={answer.problem} kept="Nothing was changed." />
    </section>
  );
}

interface SideProps {
  readonly name: string;
  readonly what: string;
  readonly conflict: OpenConflict["conflict"];
}

function Side({ name, what, conflict }: SideProps) {
  return (
    <div className={classes.side}>
      <div>
        <strong>{name}</strong> {what}
      </div>
      <div className="dim">{counted(conflict.files.length, "file")} changed differently</div>
      <ul className={classes.files}>
        {conflict.files.map((file) => (
          <li key={file} className="mono">
            {file}
          </li>
        ))}
      </ul>
    </div>
  );
}
