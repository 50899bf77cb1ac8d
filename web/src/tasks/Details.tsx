/** What a task is: what it says, what it is given, what it depends on. */

import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { taskUsageOf } from "@/conversation/usage";
import type { TaskStory } from "@/tasks/story";
import classes from "@/tasks/task.module.css";
import { Markdown } from "@/ui/Markdown";
import { Safe } from "@/ui/Safe";
import { Section } from "@/ui/Section";
import { Status } from "@/ui/Status";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly task: Schemas["TaskView"];
  readonly story: TaskStory;
}

/** Show the description of a task with everything that stands around it. */
export function Details({ thread, task, story }: Props) {
  const planned = story.planned;
  const decision = thread.decisions.find((one) => one.id === planned?.decision_id);
  return (
    <>
      <Section title="Description">
        {task.description.trim() === "" ? (
          <p className="dim">No description.</p>
        ) : (
          <Markdown text={task.description} />
        )}
      </Section>
      <dl className={classes.facts}>
        <Fact name="Depends on">
          <Dependencies thread={thread} task={task} />
        </Fact>
        <Fact name="Mode">{task.mode}</Fact>
        {planned && planned.area.length > 0 && (
          <Fact name="Likely files">
            <code className="break-anywhere">{planned.area.join(", ")}</code>
          </Fact>
        )}
        {story.maxAttempts !== null && <Fact name="Max attempts">{story.maxAttempts}</Fact>}
        <Fact name="Gate">
          {story.isGateAutomatic ? "merges automatically when verified" : "needs your approval"}
        </Fact>
        {decision && (
          <Fact name="Decision">
            <Safe text={decision.question} />
          </Fact>
        )}
        {task.begins_with && (
          <Fact name="Started from">
            the files of checkpoint <code>{task.begins_with.commit.slice(0, 8)}</code>
          </Fact>
        )}
        {task.merge_commit && (
          <Fact name="Merged as">
            <code>{task.merge_commit.slice(0, 8)}</code>
          </Fact>
        )}
        {task.child && (
          <Fact name="Child thread">
            <Link href={`/threads/${task.child}`}>{task.child}</Link>
          </Fact>
        )}
        <Fact name="Usage">{taskUsageOf(task)}</Fact>
      </dl>
      {task.report.trim() !== "" && (
        <Section title="Agent's latest summary">
          <Markdown text={task.report} />
        </Section>
      )}
      {task.context.length > 0 && (
        <Section title="Added by the thread's agent">
          <ul className="plain-list">
            {task.context.map((text) => (
              <li key={text}>
                <Markdown text={text} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Thread goal">
        <Markdown text={thread.goal} />
        {thread.parent && (
          <p className="dim">
            Part of{" "}
            <Link href={`/threads/${thread.parent.thread_id}`}>{thread.parent.thread_id}</Link>
          </p>
        )}
      </Section>
      {task.warnings.length > 0 && (
        <Section title="Warnings">
          <ul className="plain-list">
            {task.warnings.map((text) => (
              <li key={text}>
                <Safe text={text} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Dependencies({ thread, task }: Pick<Props, "thread" | "task">) {
  if (task.depends_on.length === 0) {
    return <span className="dim">none</span>;
  }
  return (
    <ul className="plain-list">
      {task.depends_on.map((id) => {
        const needed = thread.tasks.find((one) => one.task_id === id);
        return (
          <li key={id}>
            <Link href={`/threads/${thread.thread_id}/tasks/${id}`}>{id}</Link>{" "}
            {needed && (
              <>
                <Safe text={needed.title} /> <Status status={needed.status} />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
