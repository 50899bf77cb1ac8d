/** A task's gate as a person was shown it, and the one decision on it. */

import { useState } from "react";
import type { Problem, Schemas } from "@/api/client";
import { type CommandState, useCommand } from "@/api/commands";
import type { Subject } from "@/api/unsent";
import { decideRequest, type LineComment, type Verdict } from "@/plans/commands";
import { useAccidentGuard } from "@/ui/accident_guard";

type Request = Schemas["ApprovalRequest"];

/** What a gate's buttons need. */
export interface Gate {
  /** What is shown and decided on; null where none waited for what is shown. */
  readonly request: Request | null;
  readonly subject: Subject;
  /** Another one waits now, or none: what is shown cannot be decided any more. */
  readonly isChanged: boolean;
  readonly canDecide: boolean;
  /** This person has answered what was shown; what comes of it is not on the screen yet. */
  readonly isAnswered: boolean;
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

/** How much of the work that waits is on the screen. */
export interface Picture {
  /** The work of the present request is what is shown, not an earlier state of it. */
  readonly isShown: boolean;
  /** It has been read to its end. */
  readonly isRead: boolean;
}

const WHOLE: Picture = { isShown: true, isRead: true };

/**
 * Follow the gate of a task; a decision binds to the request and the hash that were shown.
 *
 * A request is taken up only while its work is shown, and decided once that is read: no hash is sent
 * of something that nobody saw.
 */
export function useGate(
  threadId: string,
  task: Schemas["TaskView"],
  { isShown, isRead }: Picture = WHOLE,
): Gate {
  const open = task.request?.subject === "gate" ? task.request : null;
  const [shown, setShown] = useState(isShown ? open : null);
  const [isAnswered, setAnswered] = useState(false);
  const subject = {
    requestId: shown?.request_id ?? "",
    title: shown?.title ?? "",
    threadId,
    taskId: task.task_id,
    draft: `gate.${threadId}.${task.task_id}`,
  };
  const verdict = useCommand(
    (id: string, request: Request, answer: Verdict) => decideRequest(id, threadId, request, answer),
    subject,
  );
  const isArmed = useAccidentGuard(`${shown?.content_hash} ${isRead}`);
  const isRecorded = verdict.state === "recorded";
  const isOther = !isSame(shown, open);
  if (isOther && isShown && (shown === null || isRecorded)) {
    setShown(open);
    verdict.reset();
    setAnswered(isAnswered && open === null);
  }
  const isOpen = shown !== null && !isOther;
  const canDecide = isOpen && isShown && isRead && !isRecorded && verdict.state !== "sending";
  return {
    request: shown,
    subject,
    isChanged: shown !== null && !isOpen && !isRecorded,
    canDecide,
    isAnswered,
    state: verdict.state,
    problem: verdict.problem,
    adopt: () => {
      setShown(isShown ? open : null);
      verdict.reset();
      setAnswered(false);
    },
    say: async (choice, feedback = "", comments = []) => {
      if (shown === null || !canDecide || !isArmed()) {
        return false;
      }
      const isTaken = (await verdict.send(shown, { choice, feedback, comments })) !== null;
      if (isTaken) {
        setAnswered(true);
      }
      return isTaken;
    },
  };
}
