/** Changes a plan by hand before it is approved: that makes a revision of one's own. */

import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { useCommand } from "@/api/commands";
import { editPlan } from "@/plans/commands";
import {
  bestOfOf,
  dependencyProblem,
  editedPlan,
  idsOf,
  NO_EDIT,
  type PlanEdit,
  type TaskEdit,
} from "@/plans/edits";
import type { PlannedTask, ProposedPlan } from "@/plans/models";
import classes from "@/plans/panel.module.css";
import { editDraft, readEdit } from "@/plans/unsaved_edits";
import { problemsOf } from "@/plans/wordings";
import { CommandButton } from "@/ui/CommandButton";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { useShortList } from "@/ui/useShortList";

interface Props {
  readonly threadId: string;
  readonly proposed: ProposedPlan;
  /** Gets the new revision. */
  readonly onDone: (revision: number) => void;
  readonly onClose: () => void;
}

function useEdit(name: string): readonly [PlanEdit, (edit: PlanEdit) => void] {
  const [draft, setDraft] = useDraft(name);
  const edit = readEdit(draft);
  return [edit, (changed) => setDraft(changed === NO_EDIT ? "" : JSON.stringify(changed))];
}

/** Edit a plan; what the engine says against it stands at the task that it is about. */
export function PlanEditor({ threadId, proposed, onDone, onClose }: Props) {
  const { plan, revision } = proposed;
  const [edit, setEdit] = useEdit(editDraft(threadId, revision));
  const command = useCommand((id: string) =>
    editPlan(id, threadId, revision, { plan: editedPlan(plan, edit) }),
  );
  const ids = useMemo(() => plan.tasks.map(({ id }) => id), [plan]);
  const problems = problemsOf(command.problem?.detail ?? "", ids);
  const { shown, field, more } = useShortList(
    plan.tasks,
    "task",
    (task) => `${task.id} ${task.title} ${task.description}`,
    (task) => (problems.byTask.get(task.id) ?? NONE).length > 0,
  );
  const save = async () => {
    const answer = await command.send();
    if (answer !== null) {
      setEdit(NO_EDIT);
      onDone(Number(answer.data.revision ?? revision));
    }
  };
  const change = (id: string, changed: TaskEdit) =>
    setEdit({ ...edit, tasks: { ...edit.tasks, [id]: { ...edit.tasks[id], ...changed } } });
  const toggle = (id: string) =>
    setEdit({
      ...edit,
      removed: edit.removed.includes(id)
        ? edit.removed.filter((other) => other !== id)
        : [...edit.removed, id],
    });
  const ways = useWays(change, toggle);
  return (
    <>
      <div className={`${classes.body} ${classes.editor}`}>
        <h3>Edit revision {revision}</h3>
        <PlanFields
          plan={{ ...plan, ...edit.fields }}
          onChange={(fields) => setEdit({ ...edit, fields: { ...edit.fields, ...fields } })}
        />
        {field}
        {shown.map((task) => (
          <TaskFields
            key={task.id}
            planned={task}
            edit={edit.tasks[task.id]}
            known={ids}
            isRemoved={edit.removed.includes(task.id)}
            problems={problems.byTask.get(task.id) ?? NONE}
            ways={ways}
          />
        ))}
        {more}
      </div>
      <div className={classes.pinned}>
        <div className={classes.work} data-brief>
          <Failure problem={command.problem} note="Your changes are saved." />
          <CommandButton command={command} onClick={() => void save()}>
            Save as new revision
          </CommandButton>
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button variant="subtle" color="red" onClick={() => setEdit(NO_EDIT)}>
            Discard changes
          </Button>
          <span className="dim">Nothing starts until you approve the new revision.</span>
        </div>
      </div>
    </>
  );
}

interface Ways {
  readonly change: (id: string, changed: TaskEdit) => void;
  readonly toggle: (id: string) => void;
}

/** The same functions for as long as the editor is open, so that a key draws one task again. */
function useWays(change: Ways["change"], toggle: Ways["toggle"]): Ways {
  const latest = useRef({ change, toggle });
  useEffect(() => {
    latest.current = { change, toggle };
  });
  return useMemo(
    () => ({
      change: (id, changed) => latest.current.change(id, changed),
      toggle: (id) => latest.current.toggle(id),
    }),
    [],
  );
}

interface PlanFieldsProps {
  readonly plan: ProposedPlan["plan"];
  readonly onChange: (fields: PlanEdit["fields"]) => void;
}

function PlanFields({ plan, onChange }: PlanFieldsProps) {
  return (
    <div className={classes.editTask}>
      <TextInput
        label="Approach"
        value={plan.approach}
        onChange={(event) => onChange({ approach: event.currentTarget.value })}
      />
      <TextInput
        label="Key risk"
        value={plan.key_risk}
        onChange={(event) => onChange({ key_risk: event.currentTarget.value })}
      />
      <Textarea
        className={classes.wide ?? ""}
        label="Summary"
        autosize
        minRows={2}
        value={plan.summary}
        onChange={(event) => onChange({ summary: event.currentTarget.value })}
      />
    </div>
  );
}

interface TaskFieldsProps {
  readonly planned: PlannedTask;
  readonly edit: TaskEdit | undefined;
  readonly known: readonly string[];
  readonly isRemoved: boolean;
  readonly problems: readonly string[];
  readonly ways: Ways;
}

const NONE: readonly string[] = [];

const GATES = [
  { value: "", label: "from the template" },
  { value: "ask", label: "needs your approval" },
  { value: "auto", label: "merges automatically" },
];

const APPROVALS = [
  { value: "", label: "as the template says" },
  { value: "none", label: "no task plan" },
  { value: "user", label: "needs your approval" },
  { value: "auto", label: "reviewed by an agent" },
];

const TaskFields = memo((props: TaskFieldsProps) => {
  const { planned, edit, known, isRemoved, problems, ways } = props;
  const task = { ...planned, ...edit };
  const onChange = (changed: TaskEdit) => ways.change(task.id, changed);
  const [needs, setNeeds] = useState(task.depends_on.join(", "));
  const [agents, setAgents] = useState(task.best_of?.agents.join(", ") ?? "");
  const problem = isRemoved ? "" : dependencyProblem(task.id, task.depends_on, known);
  return (
    <fieldset
      className={classes.editTask}
      data-wrong={problems.length > 0 || problem !== ""}
      aria-label={`Task ${task.id}`}
    >
      <div className={`${classes.wide} ${classes.tabName}`}>
        <span className="mono dim">{task.id}</span>
        <Button variant="subtle" color="red" onClick={() => ways.toggle(task.id)}>
          {isRemoved ? "Restore" : "Remove"}
        </Button>
        {isRemoved && (
          <span className="dim">
            removed; tasks that depended on it now depend on its dependencies
          </span>
        )}
      </div>
      {problems.map((text) => (
        <div key={text} className={`${classes.wide} fail`} role="alert">
          {text}
        </div>
      ))}
      {!isRemoved && (
        <>
          <TextInput
            className={classes.wide ?? ""}
            label="Title"
            value={task.title}
            onChange={(event) => onChange({ title: event.currentTarget.value })}
          />
          <Textarea
            className={classes.wide ?? ""}
            label="Description"
            autosize
            minRows={2}
            maxRows={10}
            value={task.description}
            onChange={(event) => onChange({ description: event.currentTarget.value })}
          />
          <TextInput
            label="Depends on"
            placeholder="task IDs"
            value={needs}
            error={problem}
            onChange={(event) => {
              setNeeds(event.currentTarget.value);
              onChange({ depends_on: idsOf(event.currentTarget.value) });
            }}
          />
          <NativeSelect
            size="xs"
            label="Gate"
            value={task.gate ?? ""}
            data={GATES}
            onChange={(event) => onChange({ gate: policyOf(event.currentTarget.value, "ask") })}
          />
          <NativeSelect
            size="xs"
            label="Task plan"
            value={task.plan_approval ?? ""}
            data={APPROVALS}
            onChange={(event) => onChange({ plan_approval: approvalOf(event.currentTarget.value) })}
          />
          <TextInput
            className={classes.wide ?? ""}
            label="Best of"
            description="several agents do it in parallel; you take the work of one"
            placeholder="claude, codex, treadle:qwen3"
            value={agents}
            onChange={(event) => {
              setAgents(event.currentTarget.value);
              onChange({ best_of: bestOfOf(event.currentTarget.value, planned.best_of) });
            }}
          />
        </>
      )}
    </fieldset>
  );
});
TaskFields.displayName = "TaskFields";

function approvalOf(chosen: string): "none" | "auto" | "user" | null {
  return chosen === "none" || chosen === "auto" || chosen === "user" ? chosen : null;
}

function policyOf<T extends string>(chosen: string, other: T): T | "auto" | null {
  return chosen === "" ? null : chosen === "auto" ? "auto" : other;
}
