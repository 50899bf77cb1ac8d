/** The planners of a thread and their revisions, under the letters that people say; pure. */

import type { ProposedPlan, SessionView, ThreadView } from "@/plans/models";

/** A planner with its plans, oldest first. */
export interface Planner {
  readonly letter: string;
  readonly session: SessionView;
  readonly name: string;
  readonly revisions: readonly ProposedPlan[];
  /** The newest plan, which is the one that can be approved. */
  readonly newest: ProposedPlan | null;
  readonly isWaiting: boolean;
}

/** Return the planners that proposed something or still may, in the order in which they were asked. */
export function plannersOf(thread: ThreadView): readonly Planner[] {
  const asked = new Set(thread.requests.map(({ request }) => request.request_id));
  const found = thread.sessions
    .filter((session) => session.role === "planner")
    .map((session, index) => {
      const revisions = thread.plans.filter((plan) => plan.session_id === session.session_id);
      const newest = revisions.at(-1) ?? null;
      return {
        letter: letterOf(index),
        session,
        name: nameOf(session),
        revisions,
        newest,
        isWaiting: newest !== null && asked.has(newest.request.request_id),
      };
    });
  const current = found.filter(
    ({ isWaiting, session }) => isWaiting || session.is_working || !session.is_archived,
  );
  return current.length > 0 ? current : found.filter(({ newest }) => newest !== null);
}

/** Say whose plan a revision is. */
export function letterOfPlan(thread: ThreadView, plan: ProposedPlan): string {
  const planners = thread.sessions.filter((session) => session.role === "planner");
  const index = planners.findIndex((session) => session.session_id === plan.session_id);
  return index < 0 ? "" : letterOf(index);
}

function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}

/** Say who a session is: its agent, and its model where one is named. */
export function nameOf(session: SessionView): string {
  return [session.agent, session.model].filter(Boolean).join(" ");
}
