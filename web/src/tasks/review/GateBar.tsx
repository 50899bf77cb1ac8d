/** The gate of a task: evidence first, then what a person can do. */

import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { pressIn } from "@/keyboard/bar_keys";
import { FeedbackForm } from "@/plans/FeedbackForm";
import { EvidenceLine } from "@/tasks/EvidenceLine";
import { evidenceOf } from "@/tasks/evidence";
import { Changed, Waiting } from "@/tasks/review/GateParts";
import classes from "@/tasks/review/review.module.css";
import { useGate } from "@/tasks/review/useGate";
import { Failure } from "@/ui/Failure";
import { ForRole, useLack } from "@/ui/ForRole";
import { Kbd } from "@/ui/Kbd";
import { LinkButton } from "@/ui/LinkButton";
import { spentOf } from "@/ui/money";
import { Status } from "@/ui/Status";

interface Props {
  readonly threadId: string;
  readonly task: Schemas["TaskView"];
}

/** Show the gate of a task that waits at it; nothing where it does not. */
export function GateBar({ threadId, task }: Props) {
  const [, navigate] = useLocation();
  const gate = useGate(threadId, task);
  const [isTyping, setTyping] = useState(false);
  const lack = useLack("approver");
  if (gate.request === null) {
    return null;
  }
  const review = `/threads/${threadId}/tasks/${task.task_id}/review`;
  const approve = () => void gate.say("approve");
  const sendBack = async (feedback: string) => {
    const isSent = await gate.say("reject", feedback);
    setTyping(!isSent);
    return isSent;
  };
  const press = pressIn({
    ...(lack === "" ? { a: approve, f: () => setTyping(true) } : {}),
    r: () => navigate(review),
  });
  const isSending = gate.state === "sending";
  return (
    <section
      className={classes.gate}
      aria-label={`Gate of ${task.title}`}
      tabIndex={-1}
      data-approve-bar
      onKeyDown={press}
    >
      <div className={classes.gateLine}>
        <div className={classes.gateFacts}>
          <Status status="waiting" word="gate" />
          <EvidenceLine evidence={evidenceOf(task)} />
          {spentOf(task.money) !== "" && <span className="dim">cost {spentOf(task.money)}</span>}
          <Waiting request={gate.request} />
        </div>
        <Group gap={6}>
          <LinkButton to={review} rightSection={<Kbd keys="R" />}>
            Review
          </LinkButton>
          <ForRole needs="approver">
            <Button
              variant="default"
              aria-expanded={isTyping}
              disabled={!gate.canDecide}
              rightSection={<Kbd keys="F" />}
              data-reject
              onClick={() => setTyping(!isTyping)}
            >
              Feedback…
            </Button>
            <Button
              disabled={!gate.canDecide && !isSending}
              loading={isSending}
              rightSection={<Kbd keys="A" />}
              data-approve
              onClick={approve}
            >
              {gate.state === "recorded" ? "Sent" : "Approve"}
            </Button>
          </ForRole>
        </Group>
      </div>
      {lack !== "" && <p className="dim">{lack}</p>}
      {gate.isChanged && <Changed task={task} onShow={gate.adopt} />}
      {isTyping && (
        <FeedbackForm
          subject={gate.subject}
          label="What should change?"
          isSending={isSending}
          onSend={sendBack}
          onClose={() => setTyping(false)}
        />
      )}
      <Failure problem={gate.problem} note="Nothing was decided; your text is saved." />
    </section>
  );
}
