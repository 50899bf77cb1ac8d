/** What happened around the conversation, a line each. */

import { Link, useParams } from "wouter";
import type { LineItem, NotesItem, ResetItem, StepItem } from "@/conversation/projection/items";
import { useTranscriptActions } from "@/conversation/transcript/actions";
import { Fold } from "@/conversation/transcript/items/Fold";
import { Long } from "@/conversation/transcript/Long";
import classes from "@/conversation/transcript/transcript.module.css";
import { formatMoment, formatTime, plural, truncate } from "@/format";
import { planningFailureOf } from "@/ui/planning_failure";
import { Safe } from "@/ui/Safe";

const ICONS = { info: "·", success: "✓", warning: "!", error: "✗", highlight: "▪" } as const;
const LABELS = {
  info: "",
  success: "done",
  warning: "warning",
  error: "failure",
  highlight: "",
} as const;

function ToneIcon({ tone }: { readonly tone: LineItem["tone"] }) {
  const word = LABELS[tone];
  return word === "" ? (
    <span aria-hidden>{ICONS[tone]}</span>
  ) : (
    <span role="img" aria-label={word}>
      {ICONS[tone]}
    </span>
  );
}

/** What a line says; the task or the run that it names is the way there. */
function LineText({ item }: { readonly item: LineItem }) {
  const { thread } = useParams<{ thread?: string }>();
  const text = truncate(item.text, 600);
  const { task, run } = item;
  if (run !== undefined) {
    return <Linked text={text} after="" name={run} href={`/flow-runs/${run}`} />;
  }
  if (task === null || thread === undefined) {
    return <Safe text={text} />;
  }
  const href = `/threads/${thread}/tasks/${task}`;
  return <Linked text={text} after="ask " name={task} href={href} />;
}

/** A text, with the name that stands after a word of it as a link. */
function Linked({ text, name, href, after }: Record<"text" | "name" | "href" | "after", string>) {
  const found = text.indexOf(after + name);
  if (found < 0) {
    return <Safe text={text} />;
  }
  const at = found + after.length;
  return (
    <>
      <Safe text={text.slice(0, at)} />
      <Link href={href}>{name}</Link>
      <Safe text={text.slice(at + name.length)} />
    </>
  );
}

const FAILED = "Planning failed: ";

/** A failure of planning in short, what was wrong as its details. */
function shortened(item: LineItem): LineItem {
  if (!item.text.startsWith(FAILED) || item.details !== "") {
    return item;
  }
  const { short, cause, problems } = planningFailureOf(item.text.slice(FAILED.length));
  const details = [cause, ...problems.map((problem) => `- ${problem}`)].join("\n");
  return { ...item, text: `${FAILED}${short}`, details };
}

/** One event in words; its details are folded. */
export function Line({ item: told }: { readonly item: LineItem }) {
  const item = shortened(told);
  const time = (
    <time dateTime={item.at} className={classes.time} title={formatMoment(item.at)}>
      {formatTime(item.at)}
    </time>
  );
  if (item.details === "") {
    return (
      <div className={classes.line} data-tone={item.tone}>
        <ToneIcon tone={item.tone} />
        <span>
          <LineText item={item} />
        </span>
        {time}
      </div>
    );
  }
  const head = (
    <span className={classes.line} data-tone={item.tone}>
      <ToneIcon tone={item.tone} />
      <span>
        <Safe text={truncate(item.text, 600)} />
      </span>
      {time}
    </span>
  );
  return (
    <Fold name={item.key} head={head}>
      {() => <Long text={item.details} />}
    </Fold>
  );
}

/** Small things about the agent's process. */
export function Notes({ item }: { readonly item: NotesItem }) {
  const [first = "", ...rest] = item.lines;
  if (rest.length === 0) {
    return (
      <div className={classes.note}>
        <Safe text={truncate(first, 300)} />
      </div>
    );
  }
  return (
    <Fold
      name={item.key}
      head={
        <span className="dim">{`${truncate(first, 100)}, ${plural(rest.length, "more note")}`}</span>
      }
    >
      {() => (
        <pre className={classes.raw}>
          <Safe text={item.lines.join("\n")} />
        </pre>
      )}
    </Fold>
  );
}

/** The line that the agent's memory begins at. */
export function Reset({ item }: { readonly item: ResetItem }) {
  const actions = useTranscriptActions();
  const when = formatTime(item.at);
  return (
    <div className={classes.rule} role="note">
      <span>
        Context reset · plan approved {when}
        {item.tasks > 0 && ` · ${plural(item.tasks, "task")}`}
        {actions?.planningSession && (
          <>
            {" · "}
            <Link href={actions.planningSession}>planning conversation</Link>
          </>
        )}
      </span>
    </div>
  );
}

/** A step of a flow begins. */
export function Step({ item }: { readonly item: StepItem }) {
  const { place, step } = item;
  return (
    <div className={classes.step}>
      <strong>{place.step_index}</strong>
      {place.agent_type !== "" && (
        <span>
          {place.agent_type}/{place.identifier}
        </span>
      )}
      {place.label !== "" && <span>“{place.label}”</span>}
      {place.loop_depth > 0 && (
        <span className="dim">
          loop {place.loop_depth}, round {place.iteration + 1}
        </span>
      )}
      <span className="dim">{step.replaceAll("_", " ")}</span>
    </div>
  );
}
