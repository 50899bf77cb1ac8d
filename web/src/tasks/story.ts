/** What the events of a task's own stream tell beside its view: a pure fold. */

import type { Schemas } from "@/api/client";
import type { Fold } from "@/api/events/log";
import type { JournaledEvent } from "@/api/events/topics";

/** A verification step as the plan has it. */
export type PlannedStep = Schemas["VerificationStep"];

/** Something that went wrong with a run, and when. */
export interface Setback {
  readonly position: number;
  readonly at: string;
  readonly kind: "turn" | "attempt" | "held" | "end" | "gate";
  readonly text: string;
}

/** A turn that waits for its provider, which has refused it so often; for money where it never did. */
export interface Delay {
  readonly provider: string;
  readonly reason: string;
  readonly until: string;
  readonly refusals: number;
}

/** The verification that runs now, and since when its present step does. */
export interface RunningAttempt {
  readonly attempt: number;
  readonly startedAt: string;
  readonly stepSince: string;
}

/** One run of a task as its stream tells it; `attempts` is when each was begun and found over. */
export interface TaskStory {
  readonly run: number;
  readonly planned: Schemas["PlannedTask"] | null;
  readonly agent: string;
  readonly model: string | null;
  readonly maxAttempts: number | null;
  readonly isGateAutomatic: boolean;
  readonly running: RunningAttempt | null;
  readonly checked: Readonly<Record<number, string>>;
  readonly gates: Readonly<Record<string, string>>;
  readonly delay: Delay | null;
  readonly setbacks: readonly Setback[];
  readonly discarded: readonly string[];
  readonly turn: { readonly number: number; readonly startedAt: string } | null;
  readonly lastCheck: Schemas["VerificationChecked"] | null;
  /** What became of the newest suggestions that a person had applied; with why not, where they were not. */
  readonly suggestions: { readonly isOver: boolean; readonly failure: string } | null;
}

const EMPTY: TaskStory = {
  run: 0,
  planned: null,
  agent: "",
  model: null,
  maxAttempts: null,
  isGateAutomatic: false,
  running: null,
  checked: {},
  gates: {},
  delay: null,
  setbacks: [],
  discarded: [],
  turn: null,
  lastCheck: null,
  suggestions: null,
};

/** The fold of a task's stream; a new run begins it anew, its setbacks stay. */
export const taskStory: Fold<TaskStory> = {
  empty: EMPTY,
  add: (state, events) => events.reduce(after, state),
};

function after(story: TaskStory, { event, position, text }: JournaledEvent): TaskStory {
  const { at, body } = event;
  const worse = (kind: Setback["kind"], text: string): readonly Setback[] => [
    ...story.setbacks,
    { position, at, kind, text },
  ];
  switch (body.kind) {
    case "task_opened":
      return {
        ...EMPTY,
        setbacks: story.setbacks,
        run: body.run,
        planned: body.task,
        agent: body.agent,
        model: body.model ?? null,
        maxAttempts: body.max_retries + 1,
        isGateAutomatic: body.is_gate_automatic,
      };
    case "agent_switched":
      return { ...story, agent: body.agent, model: body.model ?? null };
    case "turn_started":
      return { ...story, turn: { number: body.number, startedAt: at }, delay: null };
    case "turn_delayed":
      return {
        ...story,
        delay: {
          provider: body.provider,
          reason: body.reason,
          until: body.until,
          refusals: body.refusals - (body.pauses ?? 0),
        },
      };
    case "turn_resumed":
      return { ...story, delay: null };
    case "turn_ended":
      return {
        ...story,
        turn: null,
        delay: null,
        discarded: body.result.discarded.length > 0 ? body.result.discarded : story.discarded,
        setbacks: body.result.failure ? worse("turn", body.result.failure) : story.setbacks,
      };
    case "verification_started":
      return { ...story, running: { attempt: body.attempt, startedAt: at, stepSince: at } };
    case "verification_step_ended":
      return story.running === null
        ? story
        : { ...story, running: { ...story.running, stepSince: at } };
    case "verification_ended":
      return {
        ...story,
        running: null,
        checked: { ...story.checked, [body.attempt]: at },
        setbacks: body.held
          ? worse("held", body.held)
          : body.passed
            ? story.setbacks
            : worse("attempt", text?.summary ?? ""),
      };
    case "verification_checked":
      return { ...story, lastCheck: body };
    case "suggestions_accepted":
      return { ...story, suggestions: { isOver: false, failure: "" } };
    case "suggestions_applied":
      return { ...story, suggestions: { isOver: true, failure: "" } };
    case "suggestions_refused":
      return { ...story, suggestions: { isOver: true, failure: body.failure } };
    case "gate_opened":
      return { ...story, gates: { ...story.gates, [body.request.request_id]: at } };
    case "gate_decided":
      return body.outcome.choice === "reject"
        ? { ...story, setbacks: worse("gate", body.outcome.feedback || (text?.summary ?? "")) }
        : story;
    case "task_ended":
      return {
        ...story,
        running: null,
        turn: null,
        delay: null,
        setbacks: body.end === "accepted" ? story.setbacks : worse("end", body.reason || body.end),
      };
    default:
      return story;
  }
}
