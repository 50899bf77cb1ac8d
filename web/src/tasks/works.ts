/** The work of a plan without tasks: it is verified and has a gate as tasks do, in its thread; pure. */

import type { Schemas } from "@/api/client";
import { WORK } from "../plans/work.ts";
import { agentOf } from "./contest/rows.ts";

type ThreadView = Schemas["ThreadView"];
type TaskView = Schemas["TaskView"];

/** Return all that is verified and has a gate: tasks, or the work of a plan without any. */
export function worksOf({ work, tasks }: Pick<ThreadView, "work" | "tasks">): readonly TaskView[] {
  return work ? [work, ...tasks] : tasks;
}

interface Change {
  readonly task: TaskView;
  readonly label: string;
}

/** Return all that has changes of its own, as people call it: of a task that several agents do, each of theirs. */
export function changesOf(
  thread: Pick<ThreadView, "work" | "tasks" | "candidates" | "contests">,
): readonly Change[] {
  return worksOf(thread).flatMap((task) => {
    const label = task.task_id === WORK ? "The work" : `Task: ${task.title}`;
    const contest = thread.contests.find(({ task_id }) => task_id === task.task_id);
    if (contest === undefined) {
      return [{ task, label }];
    }
    return contest.candidates.flatMap((candidate) =>
      thread.candidates
        .filter(({ task_id }) => task_id === candidate.candidate)
        .map((one) => ({
          task: one,
          label: `${label}, ${candidate.letter} by ${agentOf(candidate)}`,
        })),
    );
  });
}

/** Return the stream of the work where a session carries it out, or has. */
export function workStreamOf(thread: ThreadView, session: string): string | null {
  const { work } = thread;
  const own = work ? [...work.sessions, ...work.earlier_sessions] : [];
  return own.some(({ session_id }) => session_id === session)
    ? `${thread.thread_id}/${WORK}`
    : null;
}
