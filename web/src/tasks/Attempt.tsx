/** One attempt of a verification: its steps in order, those to come, and what each said. */

import { useState } from "react";
import type { Schemas } from "@/api/client";
import { attemptStatusOf } from "@/conversation/attempt_status";
import { formatDuration, formatMoment } from "@/format";
import { Findings } from "@/tasks/Findings";
import { Output } from "@/tasks/Output";
import { Pictures } from "@/tasks/Pictures";
import type { PlannedStep, RunningAttempt } from "@/tasks/story";
import classes from "@/tasks/task.module.css";
import { Elapsed } from "@/ui/Ago";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

/** How many steps of a group the worker runs at once. */
const MAX_SIDE_BY_SIDE = 4;

type StepResult = Schemas["StepResult"];

interface Props {
  readonly attempt: Schemas["VerificationAttempt"];
  readonly steps: readonly PlannedStep[];
  /** How many attempts there may be in a row, where that is known. */
  readonly of?: number | null;
  readonly isOpen?: boolean;
  readonly running?: RunningAttempt | null;
  readonly endedAt?: string | undefined;
  /** Nothing of it has begun: the steps are those that will run. */
  readonly isComing?: boolean;
}

/** Show an attempt, folded unless it is open. */
export function Attempt(props: Props) {
  const { attempt, steps, of = null, isOpen = false, isComing = false, endedAt } = props;
  const [isShown, setShown] = useState(isOpen);
  const running = props.running?.attempt === attempt.attempt ? props.running : null;
  const results = new Set(attempt.steps.map((step) => step.step_id));
  const coming = steps.filter((step) => !results.has(step.id));
  const carried = [...new Set(attempt.steps.flatMap((step) => step.carried))];
  const isRunning = !attempt.is_finished;
  const title = isComing
    ? "Verification steps"
    : `Attempt ${attempt.attempt}${of === null ? "" : ` of ${Math.max(of, attempt.attempt)}`}`;
  return (
    <details
      className={classes.attempt}
      open={isShown}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary className={classes.attemptHead}>
        <strong>{title}</strong>
        {!isComing && <Status status={attemptStatusOf(attempt)} />}
        {endedAt !== undefined && <span className="dim">{formatMoment(endedAt)}</span>}
        {attempt.tree && <code className="dim">files {attempt.tree.slice(0, 8)}</code>}
      </summary>
      {attempt.held !== "" && <p>{attempt.held}</p>}
      {isShown && (
        <ul className="plain-list" aria-label={`Steps of ${title.toLowerCase()}`}>
          {attempt.steps.map((step) => (
            <Step key={step.step_id} step={step} isLast={isOpen} />
          ))}
          {coming.map((step, index) => (
            <Coming
              key={step.id}
              step={step}
              since={isRunning && index === 0 ? (running?.stepSince ?? null) : null}
              isRunning={isRunning && index < MAX_SIDE_BY_SIDE && isBeside(step, coming[0])}
              isSkipped={attempt.is_finished && !isComing}
            />
          ))}
        </ul>
      )}
      {carried.length > 0 && (
        <p className={classes.ranIn}>
          verified with the task&apos;s <Safe text={carried.join(", ")} />
        </p>
      )}
    </details>
  );
}

/** Tell whether a step runs at the same time as another, or is the same. */
function isBeside(step: PlannedStep, other: PlannedStep | undefined): boolean {
  const group = step.parallel_group;
  return step.id === other?.id || (group != null && group === other?.parallel_group);
}

function Step({ step, isLast }: { readonly step: StepResult; readonly isLast: boolean }) {
  const hasMore = step.output.trim() !== "" || step.output_ref != null;
  const [isShown, setShown] = useState(isLast && !step.passed);
  const head = (
    <>
      <Status
        status={step.is_executed ? (step.passed ? "passed" : "failed") : "stopped"}
        word={step.is_executed ? (step.passed ? "passed" : "failed") : "not run"}
      />
      <span className={classes.grow}>
        <Safe text={step.label || step.step_id} />
        {step.reviewed_by !== "" && <span className="dim"> · review by {step.reviewed_by}</span>}
      </span>
      {!step.is_required && <span className="dim">optional</span>}
      {step.exit_code != null && step.exit_code !== 0 && (
        <span className="dim mono">exit {step.exit_code}</span>
      )}
      <span className="dim mono">{formatDuration(step.duration_ms, 1)}</span>
    </>
  );
  return (
    <li>
      {hasMore ? (
        <details open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
          <summary className={classes.step}>{head}</summary>
          {isShown && <Output text={step.output} reference={step.output_ref ?? null} />}
          {isShown && step.sandbox !== "" && (
            <p className={classes.ranIn}>ran in: {step.sandbox}</p>
          )}
        </details>
      ) : (
        <div className={classes.step}>{head}</div>
      )}
      <Findings findings={step.findings} />
      <Pictures pictures={step.pictures ?? []} step={step.label || step.step_id} />
    </li>
  );
}

interface ComingProps {
  readonly step: PlannedStep;
  readonly isRunning: boolean;
  readonly since: string | null;
  readonly isSkipped: boolean;
}

function Coming({ step, isRunning, since, isSkipped }: ComingProps) {
  const subject = step.command ?? step.url ?? step.path ?? step.agent ?? "";
  return (
    <li className={classes.step}>
      <Status
        status={isRunning ? "running" : "pending"}
        word={isRunning ? "running" : isSkipped ? "did not run" : "pending"}
      />
      <span className={classes.grow}>
        <Safe text={step.label || step.id} />{" "}
        <code className="dim">
          <Safe text={subject.slice(0, 200)} />
        </code>
      </span>
      {step.parallel_group != null && (
        <span className="dim">
          group <Safe text={step.parallel_group} />
        </span>
      )}
      {!step.required && <span className="dim">optional</span>}
      {since !== null && (
        <span className="dim mono">
          <Elapsed from={since} to={null} />
        </span>
      )}
    </li>
  );
}
