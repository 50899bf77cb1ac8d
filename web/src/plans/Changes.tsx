/** What makes one plan the other: tasks added, changed and removed, field by field. */

import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { Problem, type Schemas } from "@/api/client";
import { useDifference } from "@/api/queries";
import classes from "@/plans/changes.module.css";
import type { FieldChange, PlanChanges, ProposedPlan, ThreadView } from "@/plans/models";
import { letterOfPlan } from "@/plans/planners";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly thread: ThreadView;
  readonly plan: ProposedPlan;
  /** The revision to begin with. */
  readonly before: number;
}

/** Compare a plan with another revision, of any planner. */
export function Changes({ thread, plan, before: first }: Props) {
  const [before, setBefore] = useState(first);
  const { data, error } = useDifference(thread.thread_id, before, plan.revision);
  const others = thread.plans.filter(({ revision }) => revision !== plan.revision);
  return (
    <>
      <NativeSelect
        size="xs"
        label={`Compare revision ${plan.revision} with`}
        value={String(before)}
        onChange={(event) => setBefore(Number(event.currentTarget.value))}
        data={others.map((other) => ({
          value: String(other.revision),
          label: `revision ${other.revision} (${letterOfPlan(thread, other)})`,
        }))}
      />
      {error instanceof Problem && <Failure problem={error} />}
      {data === undefined && error === null && <p className="dim">Comparing…</p>}
      {data && <ChangeList changes={data.changes} />}
    </>
  );
}

/** Show changes of a plan, part by part. */
export function ChangeList({ changes }: { readonly changes: PlanChanges }) {
  const parts = [...changes.tasks, ...changes.decisions];
  if (parts.length + changes.fields.length === 0 && !changes.is_reordered) {
    return <p className="dim">No differences.</p>;
  }
  return (
    <div className={classes.changes}>
      {changes.fields.map((field) => (
        <Field key={field.field} change={field} isTop />
      ))}
      {parts.map((part) => (
        <PartLine key={`${part.sign}${part.id}`} part={part} />
      ))}
      {changes.is_reordered && (
        <div className={classes.part} data-sign="~">
          ~ task order changed
        </div>
      )}
    </div>
  );
}

function PartLine({ part }: { readonly part: Schemas["PartChange"] }) {
  return (
    <div className={classes.part} data-sign={part.sign}>
      <div>
        <span className="mono">
          {part.sign === "-" ? "−" : part.sign} {part.id}
        </span>{" "}
        {part.title}
      </div>
      {part.fields.map((field) => (
        <Field key={field.field} change={field} />
      ))}
    </div>
  );
}

interface FieldProps {
  readonly change: FieldChange;
  readonly isTop?: boolean;
}

function Field({ change, isTop = false }: FieldProps) {
  return (
    <div className={isTop ? classes.part : classes.field} data-sign="~">
      <span className="dim">
        {isTop && "~ "}
        {change.field}
      </span>
      {change.before !== "" && <del className={classes.before}>{change.before}</del>}
      {change.after !== "" && <ins className={classes.after}>{change.after}</ins>}
    </div>
  );
}
