/** What a person can say about plans, each as one command of the API. */

import { api, body, header } from "@/api/client";
import type { Plan } from "@/plans/models";

/** An agent to ask; without one it is the thread's. */
export interface Asked {
  readonly agent?: string;
  readonly model?: string;
}

const nobody = { agent: null, model: null };

/** Write a plan, or its handoff packet, as a person changed it; that is a revision of its own. */
export function editPlan(
  command_id: string,
  thread: string,
  revision: number,
  changed: { readonly plan?: Plan; readonly handoff?: string },
) {
  return body(
    api.POST("/v1/threads/{thread}/plans/{revision}/edits", {
      params: { header, path: { thread, revision } },
      body: {
        command_id,
        plan: changed.plan === undefined ? null : { ...changed.plan },
        handoff: changed.handoff ?? null,
      },
    }),
  );
}

/** Ask the planner of one revision to take over parts of another. */
export function combinePlans(
  command_id: string,
  thread: string,
  revision: number,
  fields: { readonly other: number; readonly feedback: string },
) {
  return body(
    api.POST("/v1/threads/{thread}/plans/{revision}/combinations", {
      params: { header, path: { thread, revision } },
      body: { command_id, ...fields },
    }),
  );
}

/** Have an agent look for what is wrong with a plan. */
export function criticisePlan(command_id: string, thread: string, revision: number, asked: Asked) {
  return body(
    api.POST("/v1/threads/{thread}/plans/{revision}/critiques", {
      params: { header, path: { thread, revision } },
      body: { command_id, ...nobody, ...asked },
    }),
  );
}

/** Have one more agent plan the same goal. */
export function addPlanner(command_id: string, thread: string, asked: Asked) {
  return body(
    api.POST("/v1/threads/{thread}/plans/planners", {
      params: { header, path: { thread } },
      body: { command_id, ...nobody, ...asked },
    }),
  );
}

/** Have plans of a thread start without asking, or not. */
export function setAuto(command_id: string, thread: string, is_on: boolean) {
  return body(
    api.POST("/v1/threads/{thread}/auto-run", {
      params: { header, path: { thread } },
      body: { command_id, is_on },
    }),
  );
}

/** Have a planner work out a change of the running plan. */
export function requestAmendment(command_id: string, thread: string, text: string, asked: Asked) {
  return body(
    api.POST("/v1/threads/{thread}/amendment-requests", {
      params: { header, path: { thread } },
      body: { command_id, text, ...nobody, ...asked },
    }),
  );
}
