/** What a check of an agent says, line by line; pure. */

import type { Schemas } from "@/api/client";
import { formatDuration } from "../../format.ts";

type Body = Schemas["JournaledEvent"]["event"]["body"];

/** A line of a check. */
export interface CheckLine {
  readonly position: number;
  readonly who: "treadle" | "agent" | "end";
  readonly text: string;
  readonly isBad: boolean;
}

interface Update {
  readonly sessionUpdate?: string;
  readonly title?: string;
  readonly content?: { readonly text?: string };
}

function wordsOf(body: Body): Omit<CheckLine, "position"> | null {
  const line = (text: string, who: CheckLine["who"] = "treadle", isBad = false) => ({
    who,
    text,
    isBad,
  });
  switch (body.kind) {
    case "agent_check_started":
      return line(`${body.check} started`);
    case "agent_check_progress":
      return line(body.message);
    case "sandbox_applied":
      return line(`sandbox: ${body.summary}`);
    case "agent_session_opened":
      return line(`session opened${body.version ? ` with ${body.version}` : ""}`);
    case "agent_notice":
      return line(body.message);
    case "prompt_sent":
      return line(`prompt: ${body.text}`);
    case "agent_update":
      return agentsWords(body.update as Update);
    case "agent_check_ended":
      return line(endOf(body.result), "end", body.result.is_well !== true);
    default:
      return null;
  }
}

function agentsWords(update: Update): Omit<CheckLine, "position"> | null {
  const text =
    update.sessionUpdate === "tool_call"
      ? (update.title ?? "")
      : update.sessionUpdate === "agent_message_chunk"
        ? (update.content?.text ?? "")
        : "";
  return text === "" ? null : { who: "agent", text, isBad: false };
}

function endOf(result: Schemas["CheckResult"]): string {
  const took = formatDuration(result.duration_ms ?? 0, 1);
  return result.is_well ? `passed (${took})` : result.failure || `failed (${took})`;
}

/** Return the lines of a check in order; chunks of one answer are joined. */
export function linesOf(events: readonly Schemas["JournaledEvent"][]): readonly CheckLine[] {
  const lines: CheckLine[] = [];
  for (const { position, event } of events) {
    const line = wordsOf(event.body);
    const last = lines.at(-1);
    const isChunk =
      event.body.kind === "agent_update" &&
      (event.body.update as Update).sessionUpdate === "agent_message_chunk";
    if (line && isChunk && last?.who === "agent") {
      lines[lines.length - 1] = { ...last, text: last.text + line.text };
    } else if (line) {
      lines.push({ ...line, position });
    }
  }
  return lines;
}
