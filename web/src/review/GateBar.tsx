/** The gate of a task: evidence first, then what a person can do (facts: ui, details 15 and 19). */

import { Button, Group } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { hasSingleKeys } from "@/keys/registry";
import { Changed, FeedbackBox, Waiting } from "@/review/GateParts";
import classes from "@/review/review.module.css";
import { decide, type Verdict } from "@/task/commands";
import { EvidenceLine } from "@/task/EvidenceLine";
import { evidenceOf } from "@/task/evidence";
import { useArmed } from "@/ui/armed";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Status } from "@/ui/Status";

interface Props {
  readonly threadId: string;
  readonly task: Schemas["TaskView"];
}

type Request = Schemas["ApprovalRequest"];

/** Show the gate of a task that waits at it; nothing where it does not. */
export function GateBar({ threadId, task }: Props) {
  const open = task.request?.subject === "gate" ? task.request : null;
  const [shown, setShown] = useState(open);
  const [isDecided, setDecided] = useState(false);
  if (!isSame(shown, open) && (shown === null || isDecided)) {
    setShown(open);
    setDecided(false);
  }
  if (shown === null) {
    return null;
  }
  return (
    <OpenGate
      key={`${shown.request_id} ${shown.content_hash}`}
      threadId={threadId}
      task={task}
      request={shown}
      isOpen={isSame(shown, open)}
      onDecided={() => setDecided(true)}
      onShow={() => setShown(open)}
    />
  );
}

function isSame(one: Request | null, other: Request | null): boolean {
  return one?.request_id === other?.request_id && one?.content_hash === other?.content_hash;
}

interface GateProps extends Props {
  /** What the person was shown, and decides on. */
  readonly request: Request;
  /** Whether that is what waits now. */
  readonly isOpen: boolean;
  readonly onDecided: () => void;
  readonly onShow: () => void;
}

function OpenGate({ threadId, task, request, isOpen, onDecided, onShow }: GateProps) {
  const [, navigate] = useLocation();
  const [isTyping, setTyping] = useState(false);
  const [feedback, setFeedback] = useDraft(`gate.${threadId}.${task.task_id}`);
  const verdict = useCommand((id: string, said: Verdict) => decide(id, said));
  const isArmed = useArmed(`${isTyping}`);
  const isRecorded = verdict.state === "recorded";
  const canDecide = isOpen && !isRecorded && verdict.state !== "sending";
  const say = async (choice: Verdict["choice"], words = "") => {
    if (!canDecide || !isArmed()) {
      return;
    }
    const answer = await verdict.send({ threadId, request, choice, feedback: words });
    if (answer !== null) {
      setFeedback(choice === "reject" ? "" : feedback);
      setTyping(false);
      onDecided();
    }
  };
  const review = `/threads/${threadId}/tasks/${task.task_id}/review`;
  const keys: Readonly<Record<string, () => void>> = {
    a: () => void say("approve"),
    f: () => setTyping(true),
    r: () => navigate(review),
  };
  const press = (event: KeyboardEvent) => {
    const isText = event.target instanceof HTMLTextAreaElement;
    const run = isText || !hasSingleKeys() ? undefined : keys[event.key.toLowerCase()];
    if (run && !event.metaKey && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      run();
    }
  };
  return (
    <section className={classes.gate} aria-label={`Gate of ${task.title}`} onKeyDown={press}>
      <div className={classes.gateLine}>
        <div className={classes.gateFacts}>
          <Status status="waiting" word="gate" />
          <EvidenceLine evidence={evidenceOf(task)} />
          <Waiting request={request} />
        </div>
        <Group gap={6}>
          <LinkButton to={review}>Review</LinkButton>
          <Button
            variant="default"
            aria-expanded={isTyping}
            disabled={!canDecide}
            onClick={() => setTyping(!isTyping)}
          >
            Feedback…
          </Button>
          <Button
            disabled={!canDecide && verdict.state !== "sending"}
            loading={verdict.state === "sending"}
            onClick={() => void say("approve")}
          >
            {isRecorded ? "Recorded" : "Approve"}
          </Button>
        </Group>
      </div>
      {!isOpen && !isRecorded && <Changed task={task} onShow={onShow} />}
      {isTyping && (
        <FeedbackBox
          text={feedback}
          isSending={verdict.state === "sending"}
          onType={setFeedback}
          onSend={() => void say("reject", feedback)}
          onClose={() => setTyping(false)}
        />
      )}
      <Failure problem={verdict.problem} kept="Nothing was decided; what you wrote is kept." />
    </section>
  );
}
