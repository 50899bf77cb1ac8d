/** What a check of an agent says, line by line; pure. */

import type { Schemas } from "@/api/client";

type Event = Schemas["JournaledEvent"];

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

function lineOf({ event, text }: Event): Omit<CheckLine, "position"> | null {
  const { body } = event;
  if (body.kind === "agent_update") {
    return agentsWords(body.update as Update);
  }
  if (!text) {
    return null;
  }
  const who = body.kind === "agent_check_ended" ? "end" : "treadle";
  const words = text.details === "" ? text.summary : `${text.summary}: ${text.details}`;
  return { who, text: words, isBad: text.tone === "error" };
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

/** Return the lines of a check in order; chunks of one answer are joined. */
export function linesOf(events: readonly Event[]): readonly CheckLine[] {
  const lines: CheckLine[] = [];
  for (const each of events) {
    const { position, event } = each;
    const line = lineOf(each);
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
