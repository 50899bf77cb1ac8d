/** Folds the events of conversations: messages, turns and what delays them. */

import type { Schemas } from "@/api/client";
import type { EventBody } from "@/api/events/topics";
import type { Draft, Place } from "./draft.ts";
import { object } from "./parts.ts";
import { type EventText, lineOf, note } from "./text.ts";
import { addOwnTool, addUpdate } from "./updates.ts";

/** Fold an event of a conversation; tells whether it was one. */
export function addTurn(
  draft: Draft,
  place: Place,
  body: EventBody,
  text: EventText,
  isOfTask: boolean,
): boolean {
  switch (body.kind) {
    case "agent_update":
      addUpdate(draft, place, body.turn_id, object(body.update));
      return true;
    case "tool_called":
      addOwnTool(draft, place, {
        turnId: body.turn_id ?? "",
        tool: body.tool,
        input: body.arguments,
        answer: body.answer,
        isRefused: body.is_refused,
      });
      return true;
    case "agent_session_opened":
      if (body.commands.length > 0 && draft.commands.length === 0) {
        draft.commands = body.commands.map((name) => ({ name, description: "", hint: "" }));
      }
      note(draft, place, text.summary);
      return true;
    case "agent_notice":
    case "turn_concern":
    case "sandbox_applied":
      if (body.kind === "sandbox_applied" && text.tone === "warning") {
        draft.add(lineOf(place, text));
      } else if (text.summary !== "") {
        note(draft, place, text.summary);
      }
      return true;
    default:
      return addMessage(draft, place, body, isOfTask) || addTurnEdge(draft, place, body, text);
  }
}

type FlowPlace = Schemas["FlowPlace"];
type Body<K extends EventBody["kind"]> = Extract<EventBody, { kind: K }>;

function addMessage(draft: Draft, place: Place, body: EventBody, isOfTask: boolean): boolean {
  switch (body.kind) {
    case "message_queued":
      if (isOfTask) {
        draft.add({
          ...place,
          kind: "message",
          messageId: body.message_id,
          text: body.prompt.fields.text ?? "",
          by: body.by,
          state: "sent",
          attachments: body.prompt.attachments,
        });
      } else {
        queued(draft, place, body);
      }
      return true;
    case "message_withdrawn":
      if (body.is_for_work) {
        draft.drop((item) => item.kind === "message" && item.messageId === body.message_id);
      } else {
        setState(draft, body.message_id, "withdrawn");
      }
      return true;
    case "prompt_sent":
      sent(draft, place, body);
      return true;
    default:
      return false;
  }
}

function queued(draft: Draft, place: Place, body: Body<"message_queued">): void {
  const { prompt, message_id: messageId } = body;
  const own = { ...place, messageId, state: "queued" as const };
  const flow = flowOf(body.place);
  // what a person said to a coordinator is told to it with all that is known now, and is theirs still
  const text = prompt.fields.text ?? "";
  const isSaid = Boolean(prompt.by && text);
  if (prompt.name === "message" || isSaid || flow.flow !== undefined) {
    draft.add({
      ...own,
      ...flow,
      kind: "message",
      text,
      by: flow.flow ? "flow" : body.by,
      attachments: prompt.attachments,
    });
  } else {
    draft.add({ ...own, kind: "prompt", name: prompt.name, text: "" });
  }
}

function flowOf(place: FlowPlace | null | undefined): { readonly flow?: FlowPlace } {
  return place ? { flow: place } : {};
}

function setState(draft: Draft, messageId: string, state: "sent" | "withdrawn"): void {
  const isIt = (item: { readonly messageId: string }) => item.messageId === messageId;
  if (!draft.change("message", isIt, (item) => ({ ...item, state }))) {
    draft.change("prompt", isIt, (item) => ({ ...item, state }));
  }
}

/** What was sent: a message of a person is known already, a prompt gets its text. */
function sent(draft: Draft, place: Place, body: Body<"prompt_sent">): void {
  if (draft.open?.turnId !== body.turn_id) {
    draft.open = { turnId: body.turn_id, at: place.at, isStopping: false };
  }
  // First what has no text yet: a short message, like "ok", stands in many a prompt.
  const isNamed = draft.change(
    "prompt",
    (item) => item.state === "sent" && item.text === "",
    (item) => ({ ...item, text: body.text }),
    8,
  );
  const isKnown =
    isNamed ||
    draft.change(
      "message",
      (item) => item.state === "sent" && body.text.includes(item.text),
      (item) => item,
      8,
    );
  if (!isKnown) {
    const own = {
      kind: "prompt",
      messageId: "",
      name: "",
      text: body.text,
      state: "sent",
    } as const;
    draft.add({ ...place, ...own });
  }
}

function addTurnEdge(draft: Draft, place: Place, body: EventBody, text: EventText): boolean {
  switch (body.kind) {
    case "turn_started":
      if (body.message_id) {
        setState(draft, body.message_id, "sent");
      }
      draft.open = {
        turnId: body.turn_id,
        at: place.at,
        isStopping: false,
        ...flowOf(body.place),
      };
      return true;
    case "turn_stop_requested":
      if (draft.open !== null) {
        draft.open = { ...draft.open, isStopping: true };
      }
      note(draft, place, text.summary);
      return true;
    case "turn_ended":
      ended(draft, place, body);
      return true;
    case "turn_delayed":
      draft.add({
        ...place,
        kind: "delay",
        turnId: body.turn_id,
        provider: body.provider,
        reason: body.reason,
        until: body.until,
        ended: "",
      });
      return true;
    case "turn_resumed":
      endDelay(draft, body.turn_id, text.summary);
      return true;
    default:
      return false;
  }
}

function ended(draft: Draft, place: Place, body: Body<"turn_ended">): void {
  const { result } = body;
  if (draft.open?.turnId === result.turn_id) {
    draft.open = null;
  }
  if (result.context) {
    draft.context = { used: result.context.used, size: result.context.size };
  }
  endDelay(draft, result.turn_id, "over");
  draft.add({ ...place, kind: "turn", turnId: result.turn_id, result });
}

function endDelay(draft: Draft, turnId: string, ended: string): void {
  draft.change(
    "delay",
    (item) => item.turnId === turnId && item.ended === "",
    (item) => ({ ...item, ended }),
    2000,
  );
}
