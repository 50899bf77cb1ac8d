/** A change of the running plan: its lines, what it does to running work, and the answer to it. */

import { Badge, Button } from "@mantine/core";
import { Lock } from "lucide-react";
import { useId, useState } from "react";
import { plural } from "@/format";
import { pressIn } from "@/keyboard/bar_keys";
import { AmendmentLines } from "@/plans/AmendmentLines";
import { subjectOf, useDecide } from "@/plans/commands";
import { effectOf } from "@/plans/effects";
import { FeedbackForm } from "@/plans/FeedbackForm";
import type { AmendmentView, TaskView } from "@/plans/models";
import classes from "@/plans/plan.module.css";
import { Ago } from "@/ui/Ago";
import { useAccidentGuard } from "@/ui/accident_guard";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
import { Kbd } from "@/ui/Kbd";
import { Scroller } from "@/ui/Scroller";

interface Props {
  readonly threadId: string;
  readonly amendment: AmendmentView;
  /** The tasks of the plan, which tell what an approval does to each. */
  readonly tasks?: readonly TaskView[] | undefined;
  /** In the past there is nothing to decide. */
  readonly isReadOnly?: boolean | undefined;
}

/** Show an amendment; while it is open, approve it or send it back. */
export function AmendmentCard({ threadId, amendment, tasks = [], isReadOnly = false }: Props) {
  const title = useId();
  const isOpen = amendment.status === "open" && !isReadOnly;
  const effect = effectOf(amendment, tasks);
  return (
    <article className={classes.card} aria-labelledby={title} data-status={amendment.status}>
      <Scroller className={classes.cardBody}>
        <div className={classes.cardTitle}>
          <strong id={title}>Amendment {amendment.amendment_id.replace(/^amendment-/, "")}</strong>
          <Badge variant="light" color={amendment.status === "open" ? "orange" : "gray"}>
            {amendment.status}
          </Badge>
          <span className="dim">
            by {amendment.by === "" ? "the thread's agent" : amendment.by} ·{" "}
            <Ago at={amendment.at} suffix=" ago" /> · based on version{" "}
            {amendment.amendment.base_version}
          </span>
        </div>
        <div className="pre-wrap">{amendment.amendment.why}</div>
        <AmendmentLines lines={amendment.lines.slice(1)} />
        <Effect effect={effect} />
        {amendment.warnings.length > 0 && (
          <details className={classes.warnings}>
            <summary>{plural(amendment.warnings.length, "warning")}</summary>
            <ul>
              {amendment.warnings.map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </details>
        )}
        {amendment.reason !== "" && <div className="dim">Closed: {amendment.reason}</div>}
        {amendment.outcome && (
          <div className="dim">
            {amendment.outcome.choice === "approve" ? "Approved" : "Rejected"} by{" "}
            {amendment.outcome.by}
            {amendment.version !== null && ` · now version ${amendment.version}`}
            {amendment.outcome.feedback && `: ${amendment.outcome.feedback}`}
          </div>
        )}
      </Scroller>
      {isOpen && (
        <Answer key={amendment.request.content_hash} threadId={threadId} amendment={amendment} />
      )}
    </article>
  );
}

function Effect({ effect }: { readonly effect: ReturnType<typeof effectOf> }) {
  return (
    <div className="dim">
      {effect.words.join(" · ")}
      {effect.locked.length > 0 && (
        <span>
          {" · "}
          <Lock size={12} aria-label="locked" role="img" /> completed, cannot be changed:{" "}
          {effect.locked.join(", ")}
        </span>
      )}
    </div>
  );
}

interface AnswerProps {
  readonly threadId: string;
  readonly amendment: AmendmentView;
}

function Answer({ threadId, amendment }: AnswerProps) {
  const { request } = amendment;
  const [isRejecting, setRejecting] = useState(false);
  const subject = subjectOf(threadId, request);
  const command = useDecide(request, subject);
  const mayDecide = useAccidentGuard(request.content_hash);
  const isDone = command.state === "sending" || command.state === "recorded";
  const approve = () => {
    if (!isDone && mayDecide()) {
      void command.send({ choice: "approve" });
    }
  };
  const press = pressIn({ a: approve, r: () => setRejecting(true) });
  if (isRejecting) {
    return (
      <>
        <Failure problem={command.problem} note="Your text is saved." />
        <FeedbackForm
          subject={subject}
          label="What should change instead?"
          isSending={command.state === "sending"}
          onSend={async (feedback) => (await command.send({ choice: "reject", feedback })) !== null}
          onClose={() => setRejecting(false)}
        />
      </>
    );
  }
  return (
    <ForRole needs="approver" isTold>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it */}
      <div className={classes.barRow} onKeyDown={press}>
        <CommandButton
          command={command}
          disabled={isDone}
          done="Sent"
          data-approve
          onClick={approve}
          rightSection={<Kbd keys="A" />}
        >
          Approve amendment
        </CommandButton>
        <Button
          variant="default"
          disabled={isDone}
          onClick={() => setRejecting(true)}
          data-reject
          rightSection={<Kbd keys="R" />}
        >
          Reject…
        </Button>
        <Failure problem={command.problem} />
      </div>
    </ForRole>
  );
}
