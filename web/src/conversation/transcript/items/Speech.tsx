/** Messages: by people, by Treadle, by agents. */

import { FileText } from "lucide-react";
import { memo, type ReactNode } from "react";
import { useMe } from "@/api/queries";
import type { MessageItem, PromptItem, SpeechItem } from "@/conversation/projection/items";
import { Fold } from "@/conversation/transcript/items/Fold";
import { Long } from "@/conversation/transcript/Long";
import { piecesOf } from "@/conversation/transcript/mentions";
import classes from "@/conversation/transcript/transcript.module.css";
import { plural, truncate } from "@/format";
import { Markdown } from "@/ui/Markdown";
import { Safe } from "@/ui/Safe";

type FlowPlace = NonNullable<SpeechItem["flow"]>;

const MARKDOWN = 64_000;
const SPEECH = 20_000;
const STATES = { queued: "queued", sent: "", withdrawn: "withdrawn" } as const;

interface TextProps {
  readonly who: string;
  readonly tone: "person" | "agent";
  readonly state?: string;
  readonly flow?: FlowPlace | undefined;
  readonly children: ReactNode;
}

function MessageFrame({ who, tone, state = "", flow, children }: TextProps) {
  return (
    <article className={classes.message} data-tone={tone} aria-label={who}>
      <div className={classes.who}>
        {who}
        {state !== "" && <span className={classes.state}>{state}</span>}
      </div>
      <div className={classes.words}>
        {flow && <FlowStep place={flow} isShort={tone === "agent"} />}
        {children}
      </div>
    </article>
  );
}

/** Where in a flow something is said: step, who does it, label, loop and round. */
function FlowStep({ place, isShort }: { readonly place: FlowPlace; readonly isShort: boolean }) {
  const who = place.agent_type === "" ? "" : `${place.agent_type}/${place.identifier}`;
  const label = place.label === "" || isShort ? "" : `“${place.label}”`;
  const loop = place.loop_depth > 0 ? `loop ${place.loop_depth}, round ${place.iteration + 1}` : "";
  return (
    <div className="dim mono">
      {[`step ${place.step_index}`, who, label, loop].filter((each) => each !== "").join(" · ")}
    </div>
  );
}

/** Say who wrote a message; `me` is who reads it on a server with people. */
function authorOf(by: string, me: string): string {
  if (by === "flow") {
    return "Flow";
  }
  if (by === "treadle") {
    return "Treadle";
  }
  return me === "" || by === "" || by === me ? "You" : by;
}

/** A message of a person, and whether the agent has it. */
export function Message({ item }: { readonly item: MessageItem }) {
  const known = useMe().data;
  const me = known?.has_directory ? known.person : "";
  return (
    <MessageFrame
      who={authorOf(item.by, me)}
      tone="person"
      state={STATES[item.state]}
      flow={item.flow}
    >
      <Long text={item.text}>
        {(text) => (
          <p className={classes.plain} dir="auto">
            {piecesOf(text, me).map(({ text: piece, isMe }, index) =>
              isMe ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
                <mark key={index} className={classes.called}>
                  <Safe text={piece} />
                </mark>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
                <Safe key={index} text={piece} isBlock />
              ),
            )}
          </p>
        )}
      </Long>
      {item.attachments.map((file) => (
        <span key={file.content_ref} className={classes.file}>
          <FileText size={14} aria-hidden />
          <Safe text={file.name} />
          <span className="dim">{Math.ceil((file.size_bytes ?? 0) / 1024)} KB</span>
        </span>
      ))}
    </MessageFrame>
  );
}

/** What Treadle told the agent: long, and folded. */
export function Prompt({ item }: { readonly item: PromptItem }) {
  const state = STATES[item.state];
  return (
    <Fold
      name={item.key}
      head={promptWords(item)}
      tail={state || plural(item.text.length, "character")}
    >
      {() => <Long text={item.text} />}
    </Fold>
  );
}

/** Say that Treadle told the agent something: by its name, or by how it begins. */
export function promptWords(item: PromptItem): string {
  const name = item.name === "" ? titleOf(item.text) : item.name.replaceAll("-", " ");
  return `Treadle to the agent: ${name}`;
}

function titleOf(text: string): string {
  return truncate((text.trim().split("\n", 1)[0] ?? "").replace(/^#+\s*/, ""), 80);
}

/** What an agent said, or thought. */
export const Speech = memo(function Speech({ item }: { readonly item: SpeechItem }) {
  if (item.isThought) {
    return (
      <Fold
        name={item.key}
        head={<span className={classes.thought}>{`Thought: ${truncate(item.text, 120)}`}</span>}
      >
        {() => <SpeechText text={item.text} />}
      </Fold>
    );
  }
  return (
    <MessageFrame who="Agent" tone="agent" flow={item.flow}>
      <SpeechText text={item.text} />
    </MessageFrame>
  );
});

/** Markdown, as long as it is not so long that nobody reads it as such. */
function SpeechText({ text }: { readonly text: string }) {
  return (
    <Long text={text} limit={SPEECH}>
      {(shown) =>
        shown.length > MARKDOWN ? (
          <pre className={classes.raw}>
            <Safe text={shown} />
          </pre>
        ) : (
          <Markdown text={shown} />
        )
      }
    </Long>
  );
}
