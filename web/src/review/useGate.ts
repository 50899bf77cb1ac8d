/** A task's gate as a person was shown it, and the one decision on it. */

import { useState } from "react";
import type { Problem, Schemas } from "@/api/client";
import { type CommandState, useCommand } from "@/api/commands";
import type { Subject } from "@/api/overtaken";
import { decide, type LineComment, type Verdict } from "@/task/commands";
import { useArmed } from "@/ui/armed";

type Request = Schemas["ApprovalRequest"];

/** What a gate's buttons need. */
export interface Gate {
  /** What is shown and decided on; null where none waited since it was opened. */
  readonly request: Request | null;
  readonly subject: Subject;
  /** Another one waits now, or none: what is shown cannot be decided any more. */
  readonly isChanged: boolean;
  readonly canDecide: boolean;
  readonly state: CommandState;
  readonly problem: Problem | null;
  /** Decide; tells whether it was recorded. */
  readonly say: (
    choice: Verdict["choice"],
    feedback?: string,
    comments?: readonly LineComment[],
  ) => Promise<boolean>;
  /** Show what waits now. */
  readonly adopt: () => void;
}

function isSame(one: Request | null, other: Request | null): boolean {
  return one?.request_id === other?.request_id && one?.content_hash === other?.content_hash;
}

/** Follow the gate of a task; a decision binds to the request and the hash that were shown. */
export function useGate(threadId: string, task: Schemas["TaskView"]): Gate {
  const open = task.request?.subject === "gate" ? task.request : null;
  const [shown, setShown] = useState(open);
  const subject = {
    requestId: shown?.request_id ?? "",
    title: shown?.title ?? "",
    threadId,
    taskId: task.task_id,
    draft: `gate.${threadId}.${task.task_id}`,
  };
  const verdict = useCommand((id: string, said: Verdict) => decide(id, said), subject);
  const isArmed = useArmed(shown?.content_hash ?? "");
  const isRecorded = verdict.state === "recorded";
  if (!isSame(shown, open) && (shown === null || isRecorded)) {
    setShown(open);
    verdict.reset();
  }
  const isOpen = shown !== null && isSame(shown, open);
  const canDecide = isOpen && !isRecorded && verdict.state !== "sending";
  return {
    request: shown,
    subject,
    isChanged: shown !== null && !isOpen && !isRecorded,
    canDecide,
    state: verdict.state,
    problem: verdict.problem,
    adopt: () => {
      setShown(open);
      verdict.reset();
    },
    say: async (choice, feedback = "", comments = []) => {
      if (shown === null || !canDecide || !isArmed()) {
        return false;
      }
      const said = { threadId, request: shown, choice, feedback, comments };
      return (await verdict.send(said)) !== null;
    },
  };
}
