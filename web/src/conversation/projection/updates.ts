/** Folds what an agent sends while it works (ACP's `session/update`). */

import type { Draft, Place } from "./draft.ts";
import type { AgentCommand, ToolItem } from "./items.ts";
import { inputOf, type Loose, list, object, places, text, toolParts, words } from "./parts.ts";
import { lineOf, NO_TEXT, note } from "./text.ts";

const STATUSES = ["pending", "in_progress", "completed", "failed"] as const;
/** How far back a call that begins is looked for: agents begin a call once, or twice in a row. */
const RECENT = 50;
/** How far back a turn's list is looked for: one behind so much else is best shown anew. */
const FAR = 2000;
const QUIET = new Set(["session_info_update", "user_message_chunk", "config_option_update"]);

/** Fold one update of an agent's turn. */
export function addUpdate(draft: Draft, place: Place, turnId: string, update: Loose): void {
  const kind = text(update.sessionUpdate);
  switch (kind) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
      addSpeech(draft, place, turnId, words(update.content), kind === "agent_thought_chunk");
      break;
    case "tool_call":
    case "tool_call_update":
      tool(draft, place, turnId, update);
      break;
    case "plan":
    case "plan_update":
      todo(draft, place, turnId, update);
      break;
    case "available_commands_update":
      draft.commands = commandsOf(update.availableCommands);
      break;
    case "usage_update":
      fill(draft, update);
      break;
    case "current_mode_update":
      note(draft, place, `mode: ${text(update.currentModeId)}`);
      break;
    case "notice":
      notice(draft, place, update);
      break;
    case "compaction_update":
      note(draft, place, `context compacted: ${text(update.status)} ${text(update.error)}`.trim());
      break;
    case "terminal_output":
      terminal(draft, place, update);
      break;
    default:
      if (!QUIET.has(kind)) {
        draft.add({ ...place, kind: "unknown", name: kind || "update", body: update });
      }
  }
}

function addSpeech(
  draft: Draft,
  place: Place,
  turnId: string,
  chunk: string,
  isThought: boolean,
): void {
  const last = draft.last();
  const isSame = last?.kind === "speech" && last.turnId === turnId && last.isThought === isThought;
  if (isSame) {
    draft.items[draft.items.length - 1] = { ...last, text: last.text + chunk };
  } else if (chunk !== "") {
    const flow = draft.open?.turnId === turnId ? draft.open.flow : undefined;
    const own = { ...place, kind: "speech", turnId, text: chunk, isThought } as const;
    draft.add(flow === undefined ? own : { ...own, flow });
  }
}

function statusOf(value: unknown): ToolItem["status"] | undefined {
  return STATUSES.find((status) => status === value);
}

/** A call's updates leave out what did not change; what they hold replaces what was known. */
function tool(draft: Draft, place: Place, turnId: string, update: Loose): void {
  const callId = text(update.toolCallId);
  const status = statusOf(update.status);
  const isOver = status === "completed" || status === "failed";
  const known = {
    ...(text(update.title) === "" ? {} : { title: text(update.title) }),
    ...(text(update.kind) === "" ? {} : { use: text(update.kind) }),
    ...(status === undefined ? {} : { status }),
    ...(update.locations === undefined ? {} : { places: places(update.locations) }),
    ...(update.rawInput === undefined ? {} : { input: inputOf(update.rawInput) }),
    ...(update.content === undefined ? {} : { parts: toolParts(update.content) }),
    ...(isOver ? { endedAt: place.at } : {}),
  };
  const isKnown = draft.change(
    "tool",
    (item) => item.callId === callId && item.turnId === turnId,
    (item) => ({ ...item, ...known }),
    update.sessionUpdate === "tool_call" ? RECENT : undefined,
  );
  if (!isKnown) {
    draft.add({ ...EMPTY_CALL, ...known, ...place, callId, turnId });
  }
}

const EMPTY_CALL = {
  kind: "tool",
  title: "tool call",
  use: "other",
  status: "pending",
  places: [],
  input: "",
  parts: [],
  endedAt: null,
} as const;

/** A call of one of Treadle's own tools: the agent tells of the same call in words of its own. */
export function addOwnTool(
  draft: Draft,
  place: Place,
  called: { turnId: string; tool: string; input: unknown; answer: string; isRefused: boolean },
): void {
  const { turnId, tool: name, answer } = called;
  const parts = answer === "" ? [] : [{ kind: "text", text: answer } as const];
  const status = called.isRefused ? "failed" : "completed";
  const isTold = draft.change(
    "tool",
    (item) => item.turnId === turnId && item.title.includes(name) && item.endedAt === null,
    (item) => ({ ...item, parts, status, endedAt: place.at }),
    RECENT,
  );
  if (!isTold) {
    const input = inputOf(called.input);
    const own = { title: name, use: "treadle", status, input, parts, endedAt: place.at } as const;
    draft.add({ ...EMPTY_CALL, ...own, ...place, turnId, callId: `own-${place.key}` });
  }
}

function todo(draft: Draft, place: Place, turnId: string, update: Loose): void {
  const plan = Object.keys(object(update.plan)).length > 0 ? object(update.plan) : update;
  const entries = list(plan.entries ?? plan.items).map((each) => {
    const entry = object(each);
    return { text: text(entry.content), status: text(entry.status) };
  });
  const isKnown = draft.change(
    "todo",
    (item) => item.turnId === turnId,
    (item) => ({ ...item, entries }),
    FAR,
  );
  if (!isKnown) {
    draft.add({ ...place, kind: "todo", turnId, entries });
  }
}

function commandsOf(offered: unknown): readonly AgentCommand[] {
  return list(offered).flatMap((each) => {
    const { name, description, input } = object(each);
    return text(name) === ""
      ? []
      : [{ name: text(name), description: text(description), hint: text(object(input).hint) }];
  });
}

function fill(draft: Draft, update: Loose): void {
  const { used, size } = update;
  if (typeof used === "number" && typeof size === "number" && size > 0) {
    draft.context = { used, size };
  }
}

function notice(draft: Draft, place: Place, update: Loose): void {
  const chunk = [text(update.title), text(update.message)].filter((each) => each !== "").join(": ");
  const severity = text(update.severity);
  if (severity !== "error" && severity !== "warning") {
    note(draft, place, chunk);
  } else {
    draft.add(lineOf(place, { ...NO_TEXT, tone: severity, summary: chunk }));
  }
}

function terminal(draft: Draft, place: Place, update: Loose): void {
  const exit = object(update.exitStatus);
  const how = text(exit.signal) || `exit code ${String(exit.exitCode ?? "unknown")}`;
  const summary = `${text(update.terminalId) || "terminal"} ended: ${how}`;
  draft.add(lineOf(place, { ...NO_TEXT, summary, details: text(update.output) }));
}
