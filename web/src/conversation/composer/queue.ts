/** Messages queued for a busy agent, and how one is withdrawn. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, newCommandId, Problem, post, type Schemas } from "@/api/client";
import { ownerOf } from "@/conversation/transcript/commands";

/** A message that no turn has received yet. */
export type WaitingMessage = Schemas["WaitingMessage"];

/** What waits in a session; `problem` is why one could not be withdrawn. */
export interface Queued {
  readonly messages: readonly WaitingMessage[];
  readonly problem: Problem | null;
  readonly isBusy: boolean;
  /** Withdraw a message; returns it, or null if the agent has it already. */
  readonly withdraw: (message: WaitingMessage) => Promise<WaitingMessage | null>;
}

/** Return what waits in a session, kept up to date while its agent works. */
export function useQueued(session: string, isWorking: boolean): Queued {
  const client = useQueryClient();
  const thread = ownerOf(session).top;
  const key = ["thread", thread, "waiting"];
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const query = useQuery({
    queryKey: key,
    queryFn: () => get("/v1/threads/{thread}/messages", { path: { thread } }),
    enabled: isWorking,
  });
  const all = isWorking ? (query.data ?? []) : [];
  const withdraw = async (message: WaitingMessage) => {
    setBusy(true);
    setProblem(null);
    try {
      return await sendWithdrawal(newCommandId(), message);
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      setProblem(error);
      return null;
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: key });
    }
  };
  const messages = all.filter((each) => each.session_id === session);
  return { messages, problem, isBusy, withdraw };
}

function sendWithdrawal(commandId: string, message: WaitingMessage): Promise<WaitingMessage> {
  const { top: thread, task, number } = ownerOf(message.session_id);
  const payload = { command_id: commandId, message_id: message.message_id };
  return task === null
    ? post("/v1/threads/{thread}/sessions/{number}/withdraw", { thread, number }, payload)
    : post("/v1/threads/{thread}/tasks/{task}/withdraw", { thread, task }, payload);
}
