/** New thread: one sentence to an agent in a repository, and as much about how as one likes. */

import { Group, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useCommand } from "@/api/commands";
import { useThreads } from "@/api/queries";
import { useAgents, useSuggestedRepositories } from "@/api/resources";
import { onModEnter } from "@/keyboard/mod_enter";
import { AgentSetUp } from "@/screens/new_thread/AgentSetUp";
import { addPlanners, enqueue, openThread } from "@/screens/new_thread/commands";
import { FieldError } from "@/screens/new_thread/FieldError";
import { More } from "@/screens/new_thread/More";
import classes from "@/screens/new_thread/new_thread.module.css";
import { PastSessions } from "@/screens/new_thread/PastSessions";
import { Recipe } from "@/screens/new_thread/Recipe";
import {
  asksForPlan,
  draftOf,
  isUrl,
  missingIn,
  refusalOf,
  requestOf,
  type ThreadRequest,
  takenFrom,
} from "@/screens/new_thread/request";
import { suggestedAgent } from "@/screens/new_thread/suggested";
import { AgentPicker } from "@/ui/AgentPicker";
import { CommandButton } from "@/ui/CommandButton";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { Form } from "@/ui/Form";
import { Kbd } from "@/ui/Kbd";
import { Page } from "@/ui/Page";
import { RepositoryPicker } from "@/ui/RepositoryPicker";

/** The repository worked in last, as it was at first: it never changes under a person's hands. */
function useSuggested(): string {
  const [newest = ""] = useSuggestedRepositories();
  const [suggested, suggest] = useState(newest);
  if (suggested === "" && newest !== "") {
    suggest(newest);
  }
  return suggested;
}

/** The agent to begin with, as it was at first; empty is the engine's default. */
function useSuggestedAgent(repository: string): string {
  const agents = useAgents(repository).data?.agents;
  const lines = useThreads();
  const [suggested, suggest] = useState<string | null>(null);
  if (suggested === null && agents !== undefined && lines !== undefined) {
    const found = suggestedAgent(
      agents,
      lines.map(({ agent }) => agent),
    );
    if (found !== null) {
      suggest(found);
    }
  }
  return suggested ?? "";
}

/** The draft, with what the address says beforehand, which is taken out of it. */
function useRequest(): readonly [
  ThreadRequest,
  (part: Partial<ThreadRequest>) => void,
  () => void,
] {
  const [draft, setDraft] = useDraft("new-thread");
  const [search, setSearch] = useSearchParams();
  const recent = useSuggested();
  const agent = useSuggestedAgent("");
  const request = requestOf(draft, recent, agent);
  useEffect(() => {
    const given = takenFrom(search);
    if (given !== null) {
      const now = draftOf(localStorage.getItem("treadle.draft.new-thread") ?? "");
      setDraft(JSON.stringify({ ...now, ...given.draft }));
      setSearch(given.rest, { replace: true }); // a reload keeps what was typed since
    }
  }, [search, setSearch, setDraft]);
  return [
    request,
    (part) => setDraft(JSON.stringify({ ...draftOf(draft), ...part })),
    () => setDraft(""),
  ];
}

/** The ways to send a request, and what came of it. */
function useSending(request: ThreadRequest, forget: () => void) {
  const [, go] = useLocation();
  const start = useCommand(openThread);
  const plan = useCommand(openThread);
  const queue = useCommand(enqueue);
  const begin = async (isPlanned: boolean) => {
    const thread = await (isPlanned ? plan : start).send(request, isPlanned);
    if (thread === null) {
      return;
    }
    forget();
    go(`/threads/${thread}`);
    const refused = isPlanned ? await addPlanners(thread, request.planners) : [];
    for (const message of refused) {
      notifications.show({
        color: "red",
        title: "A planner was not added",
        message,
        autoClose: false,
      });
    }
  };
  const wait = async () => {
    if ((await queue.send(request)) !== null) {
      forget();
      go("/queue");
    }
  };
  const isBusy = [start, plan, queue].some((command) => command.state === "sending");
  const problem = start.problem ?? plan.problem ?? queue.problem;
  return { begin, wait, isBusy, start, plan, queue, problem };
}

export default function Screen() {
  const [request, change, forget] = useRequest();
  const [settled, settle] = useState<string | null>(null);
  const known = useSuggestedRepositories();
  const isKnown = settled === null || known.includes(request.repository);
  const named = isKnown ? request.repository : settled;
  const repository = isUrl(named) ? "" : named;
  const typed = isUrl(request.repository) ? "" : request.repository.trim();
  const [isTried, setTried] = useState(false);
  const sending = useSending(request, forget);
  const refusal = refusalOf(sending.problem, request);
  const errors = { ...(isTried ? missingIn(request) : {}), ...refusal };
  const agents = useAgents(repository).data?.agents;
  const agent = request.agent || (agents?.find((each) => each.is_default)?.name ?? "");
  const isWhole = Object.keys(missingIn(request)).length === 0;
  const send = (way: () => Promise<void>) => {
    setTried(true);
    if (isWhole && !sending.isBusy) {
      void way();
    }
  };
  const submit = () => send(() => sending.begin(asksForPlan(request)));
  return (
    <Page title="New thread">
      <Form
        className={classes.form}
        onSubmit={submit}
        onKeyDown={onModEnter(submit)}
        aria-label="New thread"
      >
        <Textarea
          aria-label="Message"
          placeholder="What should be done? /plan plans it first."
          classNames={{ input: classes.goal ?? "" }}
          autosize
          minRows={3}
          maxRows={16}
          autoFocus
          value={request.goal}
          error={errors.goal}
          onChange={(event) => change({ goal: event.currentTarget.value })}
        />
        <div className={classes.chips}>
          <RepositoryPicker
            value={request.repository}
            onChange={(repository) => {
              settle(settled ?? request.repository);
              change({ repository, continues: null });
            }}
            onSettled={settle}
            isCompleted
            {...(errors.repository === undefined ? {} : { error: errors.repository })}
          />
          <div>
            <AgentPicker
              value={request}
              onChange={({ agent }) => change({ agent, continues: null })}
              repository={repository}
              hasModel={false}
            />
            <FieldError text={errors.agent} />
          </div>
        </div>
        <AgentSetUp repository={repository} />
        {/* as soon as a folder is typed: a line that comes as the field is left moves what is clicked then */}
        {agent !== "" && typed !== "" && (
          <PastSessions
            key={`${agent} ${typed}`}
            agent={agent}
            repository={typed}
            value={request.continues}
            onChange={(continues) => change({ continues })}
          />
        )}
        <FieldError text={errors.continues} />
        <Recipe repository={repository} />
        <More request={request} repository={repository} onChange={change} errors={errors} />
        {Object.keys(refusal).length === 0 && (
          <Failure problem={sending.problem} note="Your text is saved." />
        )}
        <Buttons
          request={request}
          sending={sending}
          onPlan={() => send(() => sending.begin(true))}
          onQueue={() => send(sending.wait)}
        />
      </Form>
    </Page>
  );
}

interface ButtonsProps {
  readonly request: ThreadRequest;
  readonly sending: ReturnType<typeof useSending>;
  readonly onPlan: () => void;
  readonly onQueue: () => void;
}

function Buttons({ request, sending, onPlan, onQueue }: ButtonsProps) {
  return (
    <>
      <Group gap={8}>
        {(request.continues !== null || !asksForPlan(request)) && (
          <CommandButton type="submit" size="sm" command={sending.start}>
            Start
          </CommandButton>
        )}
        {request.continues === null && (
          <>
            <CommandButton
              variant={asksForPlan(request) ? "filled" : "default"}
              size="sm"
              command={sending.plan}
              onClick={onPlan}
            >
              Plan first
            </CommandButton>
            <CommandButton variant="default" size="sm" command={sending.queue} onClick={onQueue}>
              Add to queue
            </CommandButton>
          </>
        )}
        <Kbd keys="Mod+Enter" />
      </Group>
      {request.planners.length > 0 && (
        <p className="dim">Queued threads start with one planner; add others while it plans.</p>
      )}
    </>
  );
}
