/** The work of a plan without tasks: it is verified and has a gate as tasks do, in its thread; pure. */

import type { Schemas } from "@/api/client";
import { WORK } from "../plans/work.ts";

type ThreadView = Schemas["ThreadView"];
type TaskView = Schemas["TaskView"];

/** Return all that is verified and has a gate: tasks, or the work of a plan without any. */
export function worksOf({ work, tasks }: Pick<ThreadView, "work" | "tasks">): readonly TaskView[] {
  return work ? [work, ...tasks] : tasks;
}

/** Return the stream of the work where a session carries it out, or has. */
export function workStreamOf(thread: ThreadView, session: string): string | null {
  const { work } = thread;
  const own = work ? [...work.sessions, ...work.earlier_sessions] : [];
  return own.some(({ session_id }) => session_id === session)
    ? `${thread.thread_id}/${WORK}`
    : null;
}
