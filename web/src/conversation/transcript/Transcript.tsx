/** The log of a session, a thread or a flow run: all of it, live, and only what is seen is drawn. */

import { Button, Loader } from "@mantine/core";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { LogView } from "@/api/events/log";
import { useLog } from "@/api/events/useLog";
import type {
  AskItem,
  Transcript as Folded,
  Item,
  MessageItem,
} from "@/conversation/projection/items";
import { transcriptFold } from "@/conversation/projection/transcript";
import { Feed } from "@/conversation/transcript/Feed";
import { mergedAll, type Read } from "@/conversation/transcript/merge";
import { type Groups, tidied } from "@/conversation/transcript/tidy";
import classes from "@/conversation/transcript/transcript.module.css";
import { Working } from "@/conversation/transcript/Working";
import { plural } from "@/format";
import { Failure } from "@/ui/Failure";

/** What a transcript tells whom it belongs to. */
export interface Report extends Pick<Folded, "commands" | "context"> {
  /** The ids of the newest messages in it. */
  readonly sent: string;
}

/** What a log needs to be drawn. */
export interface TranscriptProps {
  /** The thread or flow run. */
  readonly top: string;
  /** SingleStream stream of it, a session's mostly; null reads all of it as one log. */
  readonly stream: string | null;
  /** A second stream whose events are shown in between: the thread's own, or the task's. */
  readonly beside?: string | null | undefined;
  /** A third one, where the session carries out a plan without tasks: what that tells of the work. */
  readonly work?: string | null | undefined;
  /** Of the second stream only what names this session: for one that is archived. */
  readonly isOnlyOwn?: boolean | undefined;
  /** Shows it as it was at this position, not live. */
  readonly at?: number | null | undefined;
  /** The card of something asked that is still open; null draws what was asked alone. */
  readonly renderOpen?: ((item: AskItem) => ReactNode) | undefined;
  /** Whether the agent works now, where the caller knows. */
  readonly isWorking?: boolean | undefined;
  /** Stands where nothing was said yet. */
  readonly empty?: ReactNode;
  /** Stands above the first entry. */
  readonly beginning?: ReactNode;
  /** Is told what the agent offers, how full its context is and what was sent, whenever that changes. */
  readonly onReport?: ((report: Report) => void) | undefined;
}

/** Show a log; it follows while the reader is at its end, and stands still otherwise. */
export function Transcript(props: TranscriptProps) {
  const { beside } = props;
  return beside === null || beside === undefined ? (
    <SingleStream {...props} />
  ) : (
    <MergedStreams {...props} beside={beside} />
  );
}

/** So few entries before a reset are not worth a fold. */
const FEW = 2;
/** So many of the newest messages are looked through for one that was not confirmed. */
const RECENT = 10;

type ConversationLog = LogView<typeof transcriptFold.empty>;

function SingleStream(props: TranscriptProps) {
  const log = useLog(props.top, props.stream, transcriptFold, props.at ?? null);
  return <TranscriptFeed {...props} log={log} items={log.state.items} />;
}

function MergedStreams(props: TranscriptProps & { readonly beside: string }) {
  const { top, stream, beside, work = null, isOnlyOwn = false, at = null } = props;
  const log = useLog(top, stream, transcriptFold, at);
  const other = useLog(top, beside, transcriptFold, at);
  const third = useLog(top, work ?? beside, transcriptFold, at);
  const own = useRead(log);
  const besides = useRead(other);
  const ofWork = useRead(third);
  const items = useMemo(() => {
    const all = mergedAll(own, work === null ? [besides] : [besides, ofWork], stream);
    return isOnlyOwn ? all.filter((item) => item.session !== null) : all;
  }, [own, besides, ofWork, work, stream, isOnlyOwn]);
  const two = bothOf(log, other);
  const both = work === null ? two : bothOf(two, third);
  return <TranscriptFeed {...props} log={both} items={items} />;
}

/** Read two logs as one. */
function bothOf(log: ConversationLog, other: ConversationLog): ConversationLog {
  return {
    ...log,
    hasOlder: log.hasOlder || other.hasOlder,
    until: log.until ?? other.until,
    isLoading: log.isLoading || other.isLoading,
    problem: log.problem ?? other.problem,
    loadOlder: () => inBoth(log.loadOlder(), other.loadOlder()),
    loadNewer: () => inBoth(log.loadNewer(), other.loadNewer()),
    keep: (from, to) => {
      log.keep(from, to);
      other.keep(from, to);
    },
    catchUp: () => {
      log.catchUp();
      other.catchUp();
    },
  };
}

/** What a log's items are made of: the same as long as those are. */
function useRead({ state, hasOlder, until }: ConversationLog): Read {
  return useMemo(() => ({ state, hasOlder, until }), [state, hasOlder, until]);
}

async function inBoth(one: Promise<boolean>, other: Promise<boolean>): Promise<boolean> {
  return (await one) && (await other);
}

interface TranscriptFeedProps extends TranscriptProps {
  readonly log: ConversationLog;
  readonly items: readonly Item[];
}

/** Where the newest context reset stands: what is above it is no part of the agent's context. */
function resetOf(items: readonly Item[]): number {
  return items.findLastIndex((item) => item.kind === "reset");
}

/** The id of the command that a message came by: a session's name may stand before it. */
function commandOf({ messageId }: MessageItem): string {
  return messageId.split("/").at(-1) ?? "";
}

/** The ids of the newest messages of people, in a string that is the same as long as they are. */
function newestMessages(items: readonly Item[]): string {
  const ids = items.flatMap((item) => (item.kind === "message" ? [commandOf(item)] : []));
  return ids.slice(-RECENT).join(" ");
}

function TranscriptFeed({ log, items: read, ...props }: TranscriptFeedProps) {
  const groups = useRef<Groups>(new WeakMap()).current;
  const all = useMemo(() => tidied(read, groups), [read, groups]);
  const [isWhole, setWhole] = useState(false);
  const reset = useMemo(() => resetOf(all), [all]);
  const isFolded = reset > FEW && !isWhole;
  const items = useMemo(() => (isFolded ? all.slice(reset) : all), [all, isFolded, reset]);
  const { hasOlder, isLoading, problem } = log;
  const { top, stream, at = null, onReport: onTold } = props;
  const { commands, context } = log.state;
  const sent = useMemo(() => newestMessages(all), [all]);
  useEffect(() => onTold?.({ commands, context, sent }), [onTold, commands, context, sent]);
  if (items.length === 0 && !hasOlder) {
    return (
      <div className={classes.nothing}>
        <Failure problem={problem} onRetry={() => void log.loadOlder()} />
        {isLoading && <Loader size="sm" aria-label="Loading the conversation" />}
        {!isLoading && props.beginning}
        {!isLoading && (props.empty ?? <p className="dim">No messages yet.</p>)}
      </div>
    );
  }
  const isWorking = at === null && (props.isWorking ?? log.state.open !== null);
  return (
    <Feed
      key={`${top} ${stream ?? ""} ${at ?? ""}`}
      items={items}
      log={isFolded ? { ...log, hasOlder: false } : log}
      head={
        isFolded ? (
          <div className={classes.before}>
            <Button variant="subtle" onClick={() => setWhole(true)}>
              Before the context reset: {plural(reset, "entry", "entries")}
            </Button>
          </div>
        ) : hasOlder ? null : (
          props.beginning
        )
      }
      renderOpen={props.renderOpen}
      foot={isWorking ? <Working open={log.state.open} items={items} /> : null}
    />
  );
}
