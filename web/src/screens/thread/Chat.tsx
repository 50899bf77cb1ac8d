/** The conversation of the chosen session, what waits for a person in it, and where they write. */

import { Button } from "@mantine/core";
import { useCallback, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { sendMessage } from "@/api/thread_commands";
import { Composer } from "@/conversation/composer/Composer";
import type { SendMessage } from "@/conversation/composer/useSending";
import {
  type TranscriptActions,
  TranscriptActionsContext,
} from "@/conversation/transcript/actions";
import { ownerOf, stopTurn } from "@/conversation/transcript/commands";
import { type Report, Transcript } from "@/conversation/transcript/Transcript";
import { useKeys } from "@/keyboard/registry";
import { Options } from "@/screens/thread/Options";
import { TakesPlace } from "@/screens/thread/Replaced";
import { nameOf, type Tab } from "@/screens/thread/sessions";
import { commandsOf } from "@/screens/thread/slash";
import classes from "@/screens/thread/thread.module.css";
import { Waiting } from "@/screens/thread/Waiting";
import { workStreamOf } from "@/tasks/works";
import { Failure } from "@/ui/Failure";
import { useLack } from "@/ui/ForRole";

type ThreadView = Schemas["ThreadView"];

interface Props {
  readonly thread: ThreadView;
  readonly tab: Tab;
  readonly at: number | null;
  readonly showPanel: (panel: string) => void;
}

const NOTHING: Report = { commands: [], context: null, sent: "" };

/** Show a session: talk, cards, composer. */
export function Chat({ thread, tab, at, showPanel }: Props) {
  const { view } = tab;
  const id = view.session_id;
  const [report, setMessage] = useState<Report>(NOTHING);
  const [isSwitching, setSwitching] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const stop = useCommand((commandId: string) => stopTurn(commandId, id));
  const recipient = { thread: thread.thread_id, session_id: id };
  const continueTurn = useCommand((commandId: string) =>
    sendMessage(commandId, recipient, "Continue."),
  );
  const commands = useSlash(thread, tab, report, showPanel);
  const send: SendMessage = async (commandId, text, files) => {
    await sendMessage(commandId, recipient, text, files);
    return view.is_working ? "Sent. The agent reads it after this turn." : "";
  };
  const planner = thread.plans.find(({ revision }) => revision === thread.approved)?.session_id;
  const planningSession =
    planner === undefined || planner === id
      ? null
      : `/threads/${thread.thread_id}?session=${nameOf(planner)}`;
  const actions = useMemo<TranscriptActions>(
    () => ({
      continueTurn: () => void continueTurn.send(),
      switchAgent: () => setSwitching(true),
      planningSession,
    }),
    [continueTurn.send, planningSession],
  );
  useKeys("Conversation", [
    { keys: "m", label: "Write a message", run: () => field.current?.focus() },
  ]);
  const isLive = at === null;
  const lack = useLack("author");
  return (
    <section id="talk" className={classes.chat} aria-label={`Session ${tab.label}`}>
      <TranscriptActionsContext value={isLive && !view.is_archived ? actions : null}>
        <Transcript
          top={thread.thread_id}
          stream={id}
          beside={thread.thread_id}
          work={workStreamOf(thread, id)}
          isOnlyOwn={view.is_archived}
          at={at}
          isWorking={view.is_working}
          onReport={setMessage}
          beginning={<TakesPlace sessions={thread.sessions} shown={id} />}
        />
      </TranscriptActionsContext>
      {isLive && <Waiting thread={thread} tab={tab} />}
      <Failure problem={stop.problem ?? continueTurn.problem} />
      {isLive ? (
        <Composer
          key={id}
          name={id}
          session={id}
          sent={report.sent}
          field={field}
          say={send}
          commands={commands}
          isWorking={view.is_working}
          stop={stop.send}
          closed={closedOf(view) ?? (lack || undefined)}
          facts={
            <>
              <ContextUsage context={report.context} />
              {!view.is_archived && (
                <Options
                  threadId={thread.thread_id}
                  repository={thread.repository}
                  session={view}
                  isOpen={isSwitching}
                  setOpen={setSwitching}
                />
              )}
            </>
          }
        />
      ) : (
        <Past thread={thread.thread_id} />
      )}
    </section>
  );
}

function closedOf({ is_archived, replaced_by }: Tab["view"]): string | undefined {
  const next = replaced_by ? ` It goes on in ${nameOf(replaced_by)}, with what you typed.` : "";
  return is_archived ? `This session is archived and read-only.${next}` : undefined;
}

function useSlash(
  thread: ThreadView,
  tab: Tab,
  result: Report,
  showPanel: (panel: string) => void,
) {
  const [, go] = useLocation();
  const { thread_id: id } = thread;
  const session = tab.view.session_id;
  const latest = useRef(thread);
  latest.current = thread;
  const show = useCallback((panel: string) => showPanel(panel), [showPanel]);
  return useMemo(() => {
    const context = {
      thread: id,
      session,
      number: ownerOf(session).number,
      position: () => latest.current.position,
      hashOf: (decision: string) =>
        latest.current.decisions.find((each) => each.id === decision)?.content_hash ?? "",
      go,
      showPanel: show,
    };
    return commandsOf(context, result.commands);
  }, [id, session, result.commands, go, show]);
}

/** How full the agent's context is: nothing until it reported that. */
function ContextUsage({ context }: { readonly context: Report["context"] }) {
  if (context === null) {
    return null;
  }
  const percent = Math.round((100 * context.used) / context.size);
  const title = `${context.used.toLocaleString("en")} of ${context.size.toLocaleString("en")} tokens`;
  return (
    <span className={classes.fill} data-full={percent >= 80} title={title}>
      context {percent} %{percent >= 80 ? " ⚠" : ""}
    </span>
  );
}

function Past({ thread }: { readonly thread: string }) {
  const [, go] = useLocation();
  return (
    <div className={classes.past}>
      <span>You are viewing the past (read-only).</span>
      <Button variant="default" onClick={() => go(`/threads/${thread}`)}>
        Back to now
      </Button>
    </div>
  );
}
