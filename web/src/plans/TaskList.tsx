/** The tasks of a plan in order, each opening to all that it says. */

import { useEffect, useMemo, useRef } from "react";
import { levelsOf } from "@/plans/graph/graph";
import type { PlannedTask } from "@/plans/models";
import classes from "@/plans/panel.module.css";
import { approvalWords, NO_STEPS, stepWords } from "@/plans/wordings";
import { Markdown } from "@/ui/Markdown";
import { Facts } from "@/ui/Page";
import { Section } from "@/ui/Section";
import { useShortList } from "@/ui/useShortList";

interface Props {
  readonly tasks: readonly PlannedTask[];
  /** The task that is open at first. */
  readonly opened?: string | null;
}

/** List planned tasks, group by group: those of one group can run side by side. */
export function TaskList({ tasks, opened = null }: Props) {
  const levels = useMemo(() => levelsOf(tasks), [tasks]);
  const inOrder = useMemo(() => levels.flat(), [levels]);
  const { shown, field, more } = useShortList(
    inOrder,
    "task",
    (task) => `${task.id} ${task.title} ${task.description}`,
    (task) => task.id === opened,
  );
  const isShown = new Set(shown);
  return (
    <>
      {field}
      {levels.map((level, group) => {
        const here = level.filter((task) => isShown.has(task));
        return (
          here.length > 0 && (
            <Section
              key={level[0]?.id}
              title={`Group ${group + 1}${level.length > 1 ? ` · ${level.length} in parallel` : ""}`}
            >
              <ol className="plain-list">
                {here.map((task) => (
                  <Task key={task.id} task={task} isOpened={task.id === opened} />
                ))}
              </ol>
            </Section>
          )
        );
      })}
      {more}
    </>
  );
}

function Task({ task, isOpened }: { readonly task: PlannedTask; readonly isOpened: boolean }) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpened) {
      place.current?.scrollIntoView({ block: "center" });
    }
  }, [isOpened]);
  return (
    <li ref={place} className={classes.task}>
      <details open={isOpened}>
        <summary>
          <span>
            <span className="mono dim">{task.id}</span> <strong>{task.title}</strong>
          </span>
          <span className={`dim ${classes.right}`}>{approvalWords(task)}</span>
          <span className="dim">
            {task.runs_as === "thread" ? "child thread" : task.mode}
            {task.depends_on.length > 0 && ` · after ${task.depends_on.join(", ")}`}
            {task.decision_id && ` · needs decision ${task.decision_id}`}
            {task.verification.length === 0 && ` · ${NO_STEPS}`}
          </span>
          <span className={`dim ${classes.right}`}>
            {task.best_of?.agents.length
              ? `best of ${task.best_of.agents.join(", ")}`
              : [task.agent, task.model].filter(Boolean).join(" ")}
          </span>
        </summary>
        <div className={classes.taskBody}>
          {task.description !== "" && <Markdown text={task.description} />}
          <Facts
            facts={[
              ["Files", task.area.join(", ")],
              [
                "Ports",
                task.ports
                  .map((p) => `${p.id}${p.description && ` (${p.description})`}`)
                  .join(", "),
              ],
              ["Terminals", task.terminals.join(", ")],
              ["Verification", <Steps key="steps" task={task} />],
              [
                "Attempts",
                task.max_retries == null ? "" : `up to ${Math.max(task.max_retries, 1)}`,
              ],
              ["Turns", task.max_turns === null ? "" : `up to ${task.max_turns}`],
              ["Tokens", task.max_tokens === null ? "" : `up to ${task.max_tokens}`],
              ["Money", task.max_usd == null ? "" : `up to ${task.max_usd.toFixed(2)} USD`],
              ["Allowed tools", task.allowed_tools.join(", ")],
              ["Denied tools", task.denied_tools.join(", ")],
            ]}
          />
        </div>
      </details>
    </li>
  );
}

function Steps({ task }: { readonly task: PlannedTask }) {
  if (task.verification.length === 0) {
    return NO_STEPS;
  }
  return (
    <ul className="plain-list">
      {task.verification.map((step) => (
        <li key={step.id} className="mono">
          {stepWords(step)}
        </li>
      ))}
    </ul>
  );
}
