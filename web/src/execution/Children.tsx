/** The child threads of a plan: where each stands, and what of it waits for a person. */

import { Link } from "wouter";
import classes from "@/execution/execution.module.css";
import type { ThreadView } from "@/plans/models";
import { Bar } from "@/ui/Bar";
import { Status } from "@/ui/Status";

/** List child threads; nothing where a plan has none. */
export function Children({ thread }: { readonly thread: ThreadView }) {
  const { children } = thread;
  if (children.length === 0) {
    return null;
  }
  const waiting = children.filter(({ report }) => report?.waiting_for).length;
  return (
    <section className={classes.children} aria-label="Child threads">
      <h3>
        Child threads
        <span className="dim">
          {" "}
          · {children.length}
          {waiting > 0 && ` · ${waiting} ${waiting === 1 ? "needs" : "need"} you`}
        </span>
      </h3>
      <ul>
        {children.map((child) => (
          <Child key={child.thread_id} child={child} title={titleOf(thread, child.task_id)} />
        ))}
      </ul>
    </section>
  );
}

interface ChildProps {
  readonly child: ThreadView["children"][number];
  readonly title: string;
}

function Child({ child, title }: ChildProps) {
  const { report, task_id, thread_id } = child;
  const isAsking = Boolean(report?.waiting_for);
  return (
    <li className={classes.child}>
      <Status status={isAsking ? "waiting" : (report?.status ?? "starting")} />
      <Link href={`/threads/${thread_id}`}>{title}</Link>
      <span className="mono dim">{task_id}</span>
      {report && report.total > 0 ? (
        <Bar done={report.done} total={report.total} />
      ) : (
        <span className="dim">{report?.status === "completed" ? "done without a plan" : ""}</span>
      )}
      {isAsking && <span>waiting for {report?.waiting_for}</span>}
      {report?.end && <span className="dim">{report.end}</span>}
      {report?.reason && <span className="dim">{report.reason}</span>}
    </li>
  );
}

function titleOf(thread: ThreadView, task: string): string {
  return thread.tasks.find(({ task_id }) => task_id === task)?.title ?? task;
}
