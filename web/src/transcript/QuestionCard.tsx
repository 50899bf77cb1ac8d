/** What an agent asks the person: may it, or which; with the agent's own options. */

import { Button, Checkbox, Group, SegmentedControl } from "@mantine/core";
import { useId, useState } from "react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { answerQuestion, type GivenAnswer } from "@/transcript/answer";
import classes from "@/transcript/question.module.css";
import { Ago } from "@/ui/Ago";
import { useArmed } from "@/ui/armed";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

type OpenQuestion = Schemas["OpenQuestion"];
type Option = Schemas["QuestionOption"];
type Remember = Schemas["Remember"];

interface Props {
  /** The thread or the flow run whose agent asks. */
  readonly threadId?: string | undefined;
  readonly runId?: string | undefined;
  readonly question: OpenQuestion;
  /** Stands on a screen of the past: nothing can be answered. */
  readonly isReadOnly?: boolean | undefined;
}

/** Ask, and send the answer: bound to what is shown, never before it has stood for half a second. */
export function QuestionCard({ threadId, runId, question: open, isReadOnly = false }: Props) {
  const { question } = open;
  const title = useId();
  const mayAnswer = useArmed(question.content_hash ?? question.question_id);
  const command = useCommand((commandId: string, given: GivenAnswer) =>
    answerQuestion(commandId, { threadId, runId }, question, given),
  );
  const isBusy = command.state === "sending" || command.state === "recorded";
  const answer = (given: GivenAnswer) => {
    if (!isBusy && mayAnswer()) {
      void command.send(given);
    }
  };
  const isPermission = question.kind === "permission";
  return (
    <section className={classes.card} aria-labelledby={title}>
      <header className={classes.head}>
        <h3 id={title} className={classes.title}>
          <span className={classes.kind}>{isPermission ? "May it?" : "Decide"}</span>{" "}
          <Safe text={question.header ? `${question.header}: ${question.title}` : question.title} />
        </h3>
        <span className="dim">
          {open.agent} <Ago at={open.asked_at ?? null} />
        </span>
      </header>
      {question.detail !== "" && (
        <pre className={classes.detail}>
          <Safe text={question.detail ?? ""} />
        </pre>
      )}
      {isReadOnly ? (
        <p className="dim">{question.options.map((option) => option.label).join(" · ")}</p>
      ) : isPermission ? (
        <Permission question={question} isBusy={isBusy} answer={answer} />
      ) : (
        <Choice question={question} isBusy={isBusy} answer={answer} />
      )}
      <span role="status" className="dim">
        {{ idle: "", sending: "sending…", recorded: "recorded", refused: "" }[command.state]}
      </span>
      <Failure problem={command.problem} />
    </section>
  );
}

interface PartProps {
  readonly question: OpenQuestion["question"];
  readonly isBusy: boolean;
  readonly answer: (given: GivenAnswer) => void;
}

const KEPT = [
  { value: "once", label: "This time" },
  { value: "session", label: "This session" },
  { value: "thread", label: "This thread" },
];

/** Allowed first, then denied; never the colour of the accent for what lasts. */
function Permission({ question, isBusy, answer }: PartProps) {
  const [remember, setRemember] = useState<Remember>("once");
  const canRemember = (question.scope ?? "") !== "";
  return (
    <>
      {canRemember && (
        <div className={classes.remember}>
          <span id={`${question.question_id}-kept`}>The answer counts</span>
          <SegmentedControl
            aria-labelledby={`${question.question_id}-kept`}
            data={KEPT}
            value={remember}
            onChange={(value) => setRemember(value as Remember)}
          />
          {remember !== "once" && (
            <span className="dim">
              for: <Safe text={question.scope ?? ""} />
            </span>
          )}
        </div>
      )}
      <Group gap="xs">
        {question.options.map((option) => (
          <Button
            key={option.option_id}
            variant={option.kind === "allow_once" ? "filled" : "default"}
            disabled={isBusy}
            title={option.description || wordOf(option)}
            onClick={() => answer({ optionId: option.option_id, remember })}
          >
            {option.label}
          </Button>
        ))}
      </Group>
    </>
  );
}

function wordOf(option: Option): string {
  return (option.kind ?? "").replaceAll("_", " ");
}

function Choice({ question, isBusy, answer }: PartProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  if (!question.multi_select) {
    return (
      <div className={classes.options}>
        {question.options.map((option) => (
          <div key={option.option_id} className={classes.option}>
            <Button
              variant="default"
              disabled={isBusy}
              onClick={() => answer({ selections: [option.label] })}
            >
              {option.label}
            </Button>
            <span className="dim">
              <Safe text={option.description ?? ""} />
            </span>
          </div>
        ))}
      </div>
    );
  }
  return (
    <>
      <Checkbox.Group value={[...chosen]} onChange={setChosen} aria-label="Options">
        {question.options.map((option) => (
          <Checkbox
            key={option.option_id}
            size="xs"
            my={6}
            value={option.label}
            label={option.label}
            description={option.description}
          />
        ))}
      </Checkbox.Group>
      <Button
        disabled={isBusy || chosen.length === 0}
        onClick={() => answer({ selections: chosen })}
      >
        Decide
      </Button>
    </>
  );
}
