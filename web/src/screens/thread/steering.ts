/** What a person says about the plan of a thread from its composer: one command each. */

import { api, body, header, type Schemas } from "@/api/client";

type Answer = Schemas["Answer"];

/** Ask for a plan; without a goal for the thread's own. */
export function plan(commandId: string, thread: string, goal: string): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/plans", {
      params: { path: { thread }, header },
      body: { command_id: commandId, goal: goal === "" ? null : goal, rivals: [] },
    }),
  );
}

/** Have plans start by themselves, or when they are approved. */
export function auto(commandId: string, thread: string, isOn: boolean): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/auto-run", {
      params: { path: { thread }, header },
      body: { command_id: commandId, is_on: isOn },
    }),
  );
}

/** Decide what the plan leaves open, as it is shown: one label, or several by comma. */
export function decide(
  commandId: string,
  thread: string,
  decision: { readonly id: string; readonly content_hash: string },
  labels: string,
): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/decisions/{decision}", {
      params: { path: { thread, decision: decision.id }, header },
      body: { command_id: commandId, selections: labels, content_hash: decision.content_hash },
    }),
  );
}

/** Abort a task. */
export function abort(commandId: string, thread: string, task: string): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/tasks/{task}/abort", {
      params: { path: { thread, task }, header },
      body: { command_id: commandId },
    }),
  );
}

/** Have it planned how the running plan should change. */
export function amend(commandId: string, thread: string, text: string): Promise<Answer> {
  return body(
    api.POST("/v1/threads/{thread}/amendment-requests", {
      params: { path: { thread }, header },
      body: { command_id: commandId, text },
    }),
  );
}

/** Say where the plan stands, in words. */
export async function planStatus(thread: string): Promise<string> {
  const status = await body(
    api.GET("/v1/threads/{thread}/plan-status", { params: { path: { thread } } }),
  );
  return status.text;
}
