/** What a transcript consists of: one item is one thing that a person reads. */

import type { Schemas } from "@/api/client";

/** How a line is meant: colour comes with a word or shape, never alone. */
export type Tone = Schemas["Tone"];

interface Base {
  /** Its name for as long as it is there; made of the position of the event that began it. */
  readonly key: string;
  readonly position: number;
  readonly at: string;
  /** The session that it is about, where the event names one. */
  readonly session: string | null;
}

/** What a person said, and whether the agent has it. */
export interface MessageItem extends Base {
  readonly kind: "message";
  readonly messageId: string;
  readonly text: string;
  readonly by: string;
  readonly state: "queued" | "sent" | "withdrawn";
  /** Where in a flow it is said. */
  readonly flow?: Schemas["FlowPlace"];
  readonly attachments: readonly Schemas["Attachment"][];
}

/** The id of the goal where it is shown as what a person said. */
export const GOAL = "goal";

/** What Treadle said to the agent, by the name of its prompt. */
export interface PromptItem extends Base {
  readonly kind: "prompt";
  readonly messageId: string;
  readonly name: string;
  readonly text: string;
  readonly state: "queued" | "sent" | "withdrawn";
}

/** What an agent said or thought, its chunks joined. */
export interface SpeechItem extends Base {
  readonly kind: "speech";
  readonly turnId: string;
  readonly text: string;
  readonly isThought: boolean;
  /** Where in a flow it is said. */
  readonly flow?: Schemas["FlowPlace"];
}

/** A part of what a tool call gave. */
export type ToolPart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "diff";
      readonly path: string;
      readonly oldText: string;
      readonly newText: string;
    }
  | { readonly kind: "terminal"; readonly id: string };

/** A tool that an agent used, as its updates reported it. */
export interface ToolItem extends Base {
  readonly kind: "tool";
  readonly turnId: string;
  readonly callId: string;
  readonly title: string;
  /** ACP's kind: read, edit, execute, search, think, fetch, other … */
  readonly use: string;
  readonly status: "pending" | "in_progress" | "completed" | "failed";
  readonly places: readonly string[];
  readonly input: string;
  readonly parts: readonly ToolPart[];
  readonly endedAt: string | null;
}

/** The agent's own list of what it does next; the newest of a turn. */
export interface TodoItem extends Base {
  readonly kind: "todo";
  readonly turnId: string;
  readonly entries: readonly { readonly text: string; readonly status: string }[];
}

/** The end of a turn. */
export interface TurnItem extends Base {
  readonly kind: "turn";
  readonly turnId: string;
  readonly result: Schemas["TurnResult"];
}

/** A wait for the agent's provider; it continues by itself. */
export interface DelayItem extends Base {
  readonly kind: "delay";
  readonly turnId: string;
  readonly provider: string;
  readonly reason: string;
  readonly until: string;
  /** How it ended; empty while it lasts. */
  readonly ended: string;
}

/** Small things about the agent's process, folded into one line. */
export interface NotesItem extends Base {
  readonly kind: "notes";
  readonly lines: readonly string[];
}

/** One line about what happened; long details are folded. */
export interface LineItem extends Base {
  readonly kind: "line";
  readonly tone: Tone;
  readonly text: string;
  readonly details: string;
  /** The task it is about, for a way there. */
  readonly task: string | null;
  /** The flow's run that the text names, for a way there. */
  readonly run?: string;
}

/** The approved plan runs: what was said before is no part of the agent's context any more. */
export interface ResetItem extends Base {
  readonly kind: "reset";
  readonly goal: string;
  readonly tasks: number;
}

/** Something that a person was asked, with the answer once there is one. */
export interface AskItem extends Base {
  readonly kind: "ask";
  readonly subject:
    | "plan"
    | "amendment"
    | "gate"
    | "task_plan"
    | "suggestion"
    | "decision"
    | "question"
    | "conflict";
  readonly requestId: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly outcome: string;
  readonly feedback: string;
  readonly isApproved: boolean | null;
}

/** An attempt's verification, step by step. */
export interface VerificationItem extends Base {
  readonly kind: "verification";
  readonly attempt: number;
  readonly steps: readonly Schemas["StepResult"][];
  readonly passed: boolean | null;
  readonly held: string;
}

/** How a plan ended. */
export interface SummaryItem extends Base {
  readonly kind: "summary";
  readonly body: Schemas["PlanCompleted"];
}

/** A step of a flow begins that no agent does; those of agents are shown by their conversation. */
export interface StepItem extends Base {
  readonly kind: "step";
  readonly step: string;
  readonly place: Schemas["FlowPlace"];
}

/** What there is to know of how the agent was started and told, in one line. */
export interface SetupItem extends Base {
  readonly kind: "setup";
  readonly items: readonly (NotesItem | PromptItem)[];
}

/** An event of a kind that this page does not know: shown as it came, folded. */
export interface UnknownItem extends Base {
  readonly kind: "unknown";
  readonly name: string;
  readonly body: unknown;
}

/** One thing in a transcript. */
export type Item =
  | MessageItem
  | PromptItem
  | SpeechItem
  | ToolItem
  | TodoItem
  | TurnItem
  | DelayItem
  | NotesItem
  | LineItem
  | ResetItem
  | AskItem
  | VerificationItem
  | SummaryItem
  | StepItem
  | SetupItem
  | UnknownItem;

/** A command that the agent itself offers. */
export interface AgentCommand {
  readonly name: string;
  readonly description: string;
  readonly hint: string;
}

/** A turn that has not ended. */
export interface OpenTurn {
  readonly turnId: string;
  readonly at: string;
  /** Its stop was asked for. */
  readonly isStopping: boolean;
  /** Where in a flow it is. */
  readonly flow?: Schemas["FlowPlace"];
}

/** What the events of a stream come to. */
export interface Transcript {
  readonly items: readonly Item[];
  readonly open: OpenTurn | null;
  readonly commands: readonly AgentCommand[];
  /** How full the agent's context is, as it last reported. */
  readonly context: { readonly used: number; readonly size: number } | null;
}
