/** What an agent asks the person: may it, or which; with the agent's own options. */

import { Button, Checkbox, Group, NativeSelect } from "@mantine/core";
import { useId, useState } from "react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { answerQuestion, type GivenAnswer } from "@/conversation/transcript/answer";
import classes from "@/conversation/transcript/question.module.css";
import { Ago } from "@/ui/Ago";
import { useAccidentGuard } from "@/ui/accident_guard";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
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
  const mayAnswer = useAccidentGuard(question.content_hash ?? question.question_id);
  const command = useCommand(
    (commandId: string, given: GivenAnswer) =>
      answerQuestion(commandId, { threadId, runId }, question, given),
    {
      requestId: question.question_id,
      title: question.title,
      threadId: threadId ?? "",
      taskId: "",
      draft: "",
    },
  );
  const isBusy = command.state === "sending" || command.state === "recorded";
  const answer = (given: GivenAnswer) => {
    if (!isBusy && mayAnswer()) {
      void command.send(given);
    }
  };
  const isPermission = question.kind === "permission";
  return (
    <section className={classes.card} data-kind={question.kind} aria-labelledby={title}>
      <header className={classes.head}>
        <h3 id={title} className="break-anywhere">
          <span className={classes.kind}>{isPermission ? "Permission" : "Decide"}</span>{" "}
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
        <ForRole needs="approver" isTold>
          <Permission question={question} isBusy={isBusy} answer={answer} />
        </ForRole>
      ) : (
        <ForRole needs="author" isTold>
          <Choice question={question} isBusy={isBusy} answer={answer} />
        </ForRole>
      )}
      <span role="status" className="dim">
        {{ idle: "", sending: "sending…", recorded: "sent", refused: "" }[command.state]}
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

/** One row of the agent's options; how long an answer is kept is chosen apart, and is off at first. */
function Permission({ question, isBusy, answer }: PartProps) {
  const [remember, setRemember] = useState<Remember>("once");
  const lasting = question.options.filter(isLasting);
  const isKept = (option: Option) => lasting.length === 0 || isLasting(option);
  return (
    <>
      <Group gap="xs">
        {question.options.map((option) => (
          <Button
            key={option.option_id}
            variant={option.kind === "allow_once" ? "filled" : "default"}
            disabled={isBusy}
            title={option.description || wordOf(option)}
            onClick={() =>
              answer({
                optionId: option.option_id,
                remember: isKept(option) ? remember : "once",
              })
            }
          >
            {option.label}
          </Button>
        ))}
      </Group>
      {(question.scope ?? "") !== "" && (
        <SavedAnswer
          lasting={lasting.map(({ label }) => `“${label}”`).join(" or ")}
          scope={question.scope ?? ""}
          remember={remember}
          onChoose={setRemember}
        />
      )}
    </>
  );
}

/** An option that is to count longer than for this request: it alone is kept, where there is one. */
function isLasting({ kind }: Option): boolean {
  return kind === "allow_always" || kind === "reject_always";
}

interface SavedProps {
  /** The labels of the lasting options, empty where the agent has none. */
  readonly lasting: string;
  readonly scope: string;
  readonly remember: Remember;
  readonly onChoose: (remember: Remember) => void;
}

function SavedAnswer({ lasting, scope, remember, onChoose }: SavedProps) {
  const off = lasting === "" ? "no, ask every time" : "for as long as the agent decides";
  const name = useId();
  return (
    <div className={classes.remember}>
      <label className="dim" htmlFor={name}>
        {lasting === "" ? "Remember my answer" : `${lasting} applies`}
      </label>
      <NativeSelect
        id={name}
        size="xs"
        data={[
          { value: "once", label: off },
          { value: "session", label: "in this session" },
          { value: "thread", label: "in this thread" },
        ]}
        value={remember}
        onChange={(event) => onChoose(event.currentTarget.value as Remember)}
      />
      {remember !== "once" && (
        <span className="dim">
          for: <Safe text={scope} />
        </span>
      )}
    </div>
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
