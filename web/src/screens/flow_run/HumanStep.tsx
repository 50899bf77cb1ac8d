/** A step that asks a person: answered in its place. */

import { Button, Textarea } from "@mantine/core";
import { useEffect, useId } from "react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { flowRequestId } from "@/api/request_keys";
import { isWriting, type Subject } from "@/api/unsent";
import { onModEnter } from "@/keyboard/mod_enter";
import { answer } from "@/screens/flow_run/commands";
import own from "@/screens/flow_run/flow_run.module.css";
import { useAccidentGuard } from "@/ui/accident_guard";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { Kbd } from "@/ui/Kbd";
import page from "@/ui/page.module.css";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly run: string;
  readonly asked: Schemas["OpenFlowRequest"];
}

function subjectOf(run: string, { request }: Schemas["OpenFlowRequest"]): Subject {
  return {
    requestId: flowRequestId(run, request.request_id),
    title: request.question,
    threadId: "",
    taskId: "",
    draft: `flow.${run}.${request.request_id}`,
  };
}

/** Ask, and send the answer: one of the step's choices, or a text where it has none. */
export default function HumanStep({ run, asked }: Props) {
  const { request } = asked;
  const title = useId();
  const options = request.options ?? [];
  const mayAnswer = useAccidentGuard(`${request.request_id} ${asked.content_hash}`);
  const subject = subjectOf(run, asked);
  const [text, setText] = useDraft(subject.draft);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed is read where it is kept
  useEffect(() => isWriting(subject), [text, subject.requestId]);
  const command = useCommand(async (id: string, reply: string) => {
    const answered = await answer(id, run, asked, reply);
    setText("");
    return answered;
  }, subject);
  const isBusy = command.state === "sending" || command.state === "recorded";
  const say = (reply: string) => {
    if (!isBusy && mayAnswer() && reply.trim() !== "") {
      void command.send(reply);
    }
  };
  return (
    <section className={own.asked} aria-labelledby={title}>
      <h2 id={title} className="pre-wrap">
        <Safe text={request.question} />
      </h2>
      <div className="dim">
        step {request.place.step_index}
        {request.place.label && ` · ${request.place.label}`} · no time limit
      </div>
      {options.length > 0 ? (
        <div className={page.line}>
          {options.map((option) => (
            <Button key={option} variant="default" disabled={isBusy} onClick={() => say(option)}>
              {option}
            </Button>
          ))}
        </div>
      ) : (
        <div className={page.form}>
          <Textarea
            aria-label="Your answer"
            autosize
            minRows={2}
            maxRows={12}
            value={text}
            disabled={isBusy}
            onKeyDown={onModEnter(() => say(text.trim()))}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <div className={page.line}>
            <Button disabled={isBusy || text.trim() === ""} onClick={() => say(text.trim())}>
              Answer
            </Button>
            <Kbd keys="Mod+Enter" />
          </div>
        </div>
      )}
      <span role="status" className="dim">
        {{ idle: "", sending: "sending…", recorded: "sent", refused: "" }[command.state]}
      </span>
      <Failure problem={command.problem} note="Your text is saved." />
    </section>
  );
}
