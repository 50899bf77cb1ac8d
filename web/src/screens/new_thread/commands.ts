/** Opens what was wished: now, or when its turn comes. */

import { api, body, header, newCommandId, Problem } from "@/api/client";
import { type Rival, threadOf, type Wish } from "@/screens/new_thread/request";

/** Open a thread; returns its id. */
export async function openThread(commandId: string, wish: Wish): Promise<string> {
  const opened = await body(
    api.POST("/v1/threads", {
      params: { header },
      body: { command_id: commandId, ...threadOf(wish) },
    }),
  );
  return opened.thread_id;
}

/** Put a thread into the queue; returns the id that it will have. */
export async function enqueue(commandId: string, wish: Wish): Promise<string> {
  const { entries } = await body(
    api.POST("/v1/queue", {
      params: { header },
      body: {
        command_id: commandId,
        items: [
          {
            command_id: commandId,
            kind: "thread",
            priority: wish.priority,
            after: [],
            ...threadOf(wish),
          },
        ],
      },
    }),
  );
  return entries[0] ?? "";
}

/** Have rivals plan the same; returns what was refused, in words. The thread goes on without those. */
export async function addRivals(thread: string, rivals: readonly Rival[]): Promise<string[]> {
  const refused: string[] = [];
  for (const { agent, model } of rivals) {
    try {
      await body(
        api.POST("/v1/threads/{thread}/plans/planners", {
          params: { header, path: { thread } },
          body: { command_id: newCommandId(), agent: agent || null, model: model.trim() || null },
        }),
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
