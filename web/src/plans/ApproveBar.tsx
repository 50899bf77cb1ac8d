/** The bar that decides on a plan, a task's plan or a suggestion: what happens then, and two answers. */

import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { useThread } from "@/api/queries";
import { plural } from "@/format";
import { pressIn } from "@/keyboard/bar_keys";
import { AS_PLANNED, presetOf, type RunMode, stopsIn } from "@/plans/autonomy";
import { CostEstimate } from "@/plans/CostEstimate";
import { subjectOf, useDecide } from "@/plans/commands";
import { consequencesOf, wordsOf } from "@/plans/consequences";
import { FeedbackForm } from "@/plans/FeedbackForm";
import type { ApprovalRequest, AutonomyOption, ProposedPlan, TaskPlan } from "@/plans/models";
import classes from "@/plans/plan.module.css";
import { letterOfPlan } from "@/plans/planners";
import { RunChoice } from "@/plans/RunChoice";
import { hasRead, noteRead } from "@/plans/read_warnings";
import { Terms } from "@/plans/Terms";
import { useAccidentGuard } from "@/ui/accident_guard";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
import { Kbd } from "@/ui/Kbd";

interface Props {
  readonly threadId: string;
  /** What is asked, as it is shown: the answer is bound to its hash. */
  readonly request: ApprovalRequest;
  /** The plan of a thread; read from the thread where it is left out. */
  readonly plan?: ProposedPlan | undefined;
  /** The thread's agent, which does what no other is named for. */
  readonly agent?: string | undefined;
  /** The task whose plan it is, where the request is one's. */
  readonly taskId?: string | undefined;
  /** That plan. */
  readonly taskPlan?: TaskPlan | undefined;
  /** Where the plan stops with each autonomy: how freely it runs is then asked as well. */
  readonly options?: readonly AutonomyOption[] | undefined;
  /** Where the plan stops, as it is planned, where nothing else is asked. */
  readonly stops?: AutonomyOption | undefined;
  /** The plan's letter among several; empty where there is one. */
  readonly letter?: string | undefined;
  /** What else an approval does, as to the plans of others. */
  readonly note?: string | undefined;
  /** Opens the editor, where there is one. */
  readonly onEdit?: (() => void) | undefined;
}

const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  plan: ["Approve", "Reject…"],
  task_plan: ["Approve", "Reject…"],
  suggestion: ["Plan first", "Start without a plan"],
};

/** Decide on a request; keys work while the focus is in the bar: A approves, R rejects, E edits. */
export function ApproveBar(props: Props) {
  const { request, plan, taskPlan, agent = "the thread's own" } = props;
  if (request.subject === "plan" && plan === undefined) {
    return <PlanRead {...props} />;
  }
  const wordsIf = (option?: AutonomyOption) =>
    plan ? planWords(plan, agent, option ?? props.stops) : taskPlan ? taskWords(taskPlan) : [];
  return <Bar key={request.content_hash} {...props} wordsIf={wordsIf} />;
}

/** The same with the plan of the thread, whose other plans then say its letter. */
function PlanRead(props: Props) {
  const { data } = useThread(props.threadId);
  const plan = data?.plans.find(
    ({ request }) => request.content_hash === props.request.content_hash,
  );
  if (data === undefined || plan === undefined) {
    return null;
  }
  const waiting = data.requests.filter(({ request }) => request.subject === "plan");
  const letter = waiting.length > 1 ? letterOfPlan(data, plan) : "";
  const options = data.running.autonomy_options[props.request.request_id] ?? [];
  const { agent } = data;
  const shown = {
    plan,
    letter: props.letter ?? letter,
    agent,
    stops: stopsIn(options, AS_PLANNED),
  };
  return <ApproveBar {...props} {...shown} />;
}

/** Say what a plan does; where it stops is as it is planned, or as it would be run. */
function planWords(
  { plan }: ProposedPlan,
  agent: string,
  option?: AutonomyOption,
): readonly string[] {
  const stops = option ? { gates: option.gates, planned: option.plans } : {};
  return wordsOf({ ...consequencesOf(plan, agent), ...stops, files: [] });
}

function taskWords(plan: TaskPlan): readonly string[] {
  return [
    `the task starts with ${plural(plan.steps.length, "step")}`,
    "feedback goes to its planner",
  ];
}

interface BarProps extends Props {
  readonly wordsIf: (option?: AutonomyOption) => readonly string[];
}

function Bar(props: BarProps) {
  const { threadId, request, plan, letter = "", wordsIf, options = [], onEdit } = props;
  const [isRejecting, setRejecting] = useState(false);
  const [mode, setMode] = useState(() => presetOf(options));
  const [isOpen, setOpen] = useState(false);
  const mayDecide = useAccidentGuard(request.content_hash);
  const subject = subjectOf(threadId, request, props.taskId);
  const command = useDecide(request, subject);
  const warnings = plan?.warnings ?? [];
  const [texts, isRead, setRead] = useReading(threadId, warnings, mode);
  const isDone = command.state === "sending" || command.state === "recorded";
  const [approveWord, rejectWord] = WORDS[request.subject] ?? ["Approve", "Reject…"];
  const decide = () => {
    if (!isDone && mayDecide() && isRead) {
      const autonomy = mode === AS_PLANNED ? null : mode;
      void command.send({ choice: "approve", isAcknowledged: warnings.length > 0, autonomy });
    }
  };
  const refuse = () => {
    if (request.subject !== "suggestion") {
      setOpen(false);
      setRejecting(true);
    } else if (!isDone && mayDecide()) {
      void command.send({ choice: "reject" });
    }
  };
  const bar = useRef<HTMLElement>(null);
  const toBox = () => {
    setOpen(true);
    bar.current?.querySelector<HTMLElement>("input[type=checkbox]")?.focus();
  };
  const press = pressIn(isRejecting ? {} : { a: isRead ? decide : toBox, r: refuse, e: onEdit });
  const buttonsWith = (edit: Props["onEdit"]) => (
    <Buttons
      words={[
        command.state === "recorded" ? "Sent" : `${approveWord} ${letter}`.trim(),
        rejectWord,
      ]}
      isSending={command.state === "sending"}
      isDone={isDone}
      canApprove={isRead}
      onApprove={decide}
      onReject={refuse}
      onEdit={edit}
    />
  );
  const role = request.subject === "suggestion" ? "author" : "approver";
  return (
    <ForRole needs={role} isTold>
      <section
        ref={bar}
        className={classes.bar}
        aria-label={`Decide: ${request.title}`}
        tabIndex={-1}
        data-approve-bar
        onKeyDown={press}
      >
        {!isRejecting && (
          <Terms
            title={request.title}
            words={[...wordsIf(stopsIn(options, mode)), ...(props.note ? [props.note] : [])]}
            warnings={texts}
            isRead={isRead}
            onRead={setRead}
            isOpen={isOpen}
            setOpen={setOpen}
            buttons={buttonsWith(onEdit)}
            fewButtons={buttonsWith(undefined)}
          >
            {plan && <CostEstimate threadId={threadId} revision={plan.revision} />}
            {plan && options.length > 0 && (
              <RunChoice
                options={options}
                threads={plan.plan.tasks.filter((task) => task.runs_as === "thread").length}
                chosen={mode}
                onChoose={setMode}
                isDisabled={isDone}
              />
            )}
          </Terms>
        )}
        <Failure problem={command.problem} note="Your text is saved." />
        {isRejecting && (
          <FeedbackForm
            subject={subject}
            label="What should change?"
            chips={chipsOf(plan, props.taskPlan)}
            isSending={command.state === "sending"}
            onSend={async (feedback) =>
              (await command.send({ choice: "reject", feedback })) !== null
            }
            onClose={() => setRejecting(false)}
          />
        )}
      </section>
    </ForRole>
  );
}

/** The warnings to read before an approval, whether they were read, and how to say so. */
function useReading(
  threadId: string,
  warnings: ProposedPlan["warnings"],
  mode: RunMode,
): readonly [readonly string[], boolean, (isRead: boolean) => void] {
  // who chooses where the plan stops has answered what it leaves out of the template's gates
  const asked = warnings.filter(({ kind }) => kind !== "no_gate" || mode === AS_PLANNED);
  const texts = asked.map(({ text }) => text);
  const [, setRead] = useState(false);
  const change = (isRead: boolean) => {
    noteRead(threadId, texts, isRead);
    setRead(isRead);
  };
  return [texts, hasRead(threadId, texts), change];
}

interface ButtonsProps extends Pick<Props, "onEdit"> {
  readonly words: readonly [string, string];
  readonly isSending: boolean;
  readonly isDone: boolean;
  readonly canApprove: boolean;
  readonly onApprove: () => void;
  readonly onReject: () => void;
}

function Buttons({ words: [approve, reject], isSending, isDone, ...actions }: ButtonsProps) {
  return (
    <div className={classes.barRow}>
      <Button
        loading={isSending}
        disabled={isDone || !actions.canApprove}
        onClick={actions.onApprove}
        data-approve
        rightSection={<Kbd keys="A" />}
      >
        {approve}
      </Button>
      <Button
        variant="default"
        disabled={isDone}
        onClick={actions.onReject}
        data-reject
        rightSection={<Kbd keys="R" />}
      >
        {reject}
      </Button>
      {actions.onEdit && (
        <Button
          variant="default"
          disabled={isDone}
          onClick={actions.onEdit}
          rightSection={<Kbd keys="E" />}
        >
          Edit…
        </Button>
      )}
    </div>
  );
}

function chipsOf(plan: ProposedPlan | undefined, task: TaskPlan | undefined): readonly string[] {
  if (plan === undefined) {
    return task?.risks ?? [];
  }
  const { key_risk, considerations, decisions, tasks } = plan.plan;
  return [
    ...tasks.slice(0, 8).map(({ id }) => `On ${id}: `),
    ...(key_risk === "" ? [] : [`About the risk “${key_risk}”: `]),
    ...decisions.map(({ question }) => `About “${question}”: `),
    ...considerations.slice(0, 4).map((text) => `About “${text}”: `),
  ];
}
