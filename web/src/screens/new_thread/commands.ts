/** Opens what was wished: now, or when its turn comes. */

import { newCommandId, Problem, post } from "@/api/client";
import { type AdditionalPlanner, type ThreadRequest, threadOf } from "@/screens/new_thread/request";

/** Open a thread; returns its id. */
export async function openThread(
  commandId: string,
  request: ThreadRequest,
  isPlanned: boolean,
): Promise<string> {
  const body = { command_id: commandId, ...threadOf(request, isPlanned) };
  return (await post("/v1/threads", {}, body)).thread_id;
}

/** Put a thread into the queue; returns the id that it will have. */
export async function enqueue(commandId: string, request: ThreadRequest): Promise<string> {
  const { entries } = await post(
    "/v1/queue",
    {},
    {
      command_id: commandId,
      items: [
        {
          command_id: commandId,
          kind: "thread",
          priority: request.priority,
          after: [],
          ...threadOf(request, true),
        },
      ],
    },
  );
  return entries[0] ?? "";
}

/** Add planners to a thread; returns a message for each that was refused, and the thread continues without it. */
export async function addPlanners(
  thread: string,
  planners: readonly AdditionalPlanner[],
): Promise<string[]> {
  const refused: string[] = [];
  for (const { agent, model } of planners) {
    try {
      await post(
        "/v1/threads/{thread}/plans/planners",
        { thread },
        { command_id: newCommandId(), agent: agent || null, model: model.trim() || null },
      );
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      refused.push(`${agent || "The default agent"} cannot plan: ${error.detail}`);
    }
  }
  return refused;
}
