/** Where a run's work is and how to take it over, who works, and what steps gave. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { plural } from "@/format";
import own from "@/screens/flow_run/flow_run.module.css";
import { type AgentChoice, AgentPicker, DEFAULT_AGENT } from "@/ui/AgentPicker";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Facts } from "@/ui/Page";
import page from "@/ui/page.module.css";
import { Status } from "@/ui/Status";

type View = Schemas["FlowRunView"];

interface Props {
  readonly view: View;
}

const AT_REST: ReadonlySet<string> = new Set(["stopped", "failed", "completed"]);

/** Say where the changes are. */
export function Work({ view }: Props) {
  const files = view.files ?? [];
  const isAtRest = AT_REST.has(view.status);
  return (
    <>
      <Facts
        facts={[
          ["Part of", view.parent ? <Run key="parent" run={view.parent} /> : ""],
          ["Branch", <code key="branch">{view.branch}</code>],
          ["Repository", <code key="repository">{view.repository}</code>],
          ["Folder", view.folder ? <code key="folder">{view.folder}</code> : ""],
          ["Flow", view.flow_path ? <code key="path">{view.flow_path}</code> : view.flow_name],
          ["Changes", files.length === 0 ? "none yet" : files.join(", ")],
        ]}
      />
      {isAtRest && (
        <>
          <p className="dim">Review and merge it:</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre className={page.code} tabIndex={0}>
            {`git -C ${view.repository} log -p ${(view.base ?? "").slice(0, 12)}..${view.branch}\n`}
            {`git -C ${view.repository} merge ${view.branch}`}
          </pre>
        </>
      )}
      {!isAtRest && (
        <p className="dim">
          The work is committed there at every stop and at the end, ready to merge.
        </p>
      )}
    </>
  );
}

function Run({ run }: { readonly run: string }) {
  return <Link href={`/flow-runs/${run}`}>{run}</Link>;
}

/** List the runs that steps began, with the status of each. */
export function Children({ view }: Props) {
  return (view.children ?? []).map((child) => (
    <div key={child.run_id} className={own.conversation}>
      <div className={page.line}>
        <strong className="mono">{child.flow_name}</strong>
        <Status status={child.end ?? "running"} />
        <Run run={child.run_id} />
      </div>
      {child.reason && <p className="dim">{child.reason}</p>}
    </div>
  ));
}

/** List the conversations: one for each agent type and identifier. */
export function Conversations({ view }: Props) {
  return (view.conversations ?? []).map((conversation) => (
    <Conversation
      key={conversation.session_id}
      run={view.run_id}
      repository={view.repository ?? ""}
      conversation={conversation}
      isOver={view.status === "completed"}
    />
  ));
}

interface ConversationProps {
  readonly run: string;
  readonly repository: string;
  readonly conversation: Schemas["FlowConversationView"];
  readonly isOver: boolean;
}

function Conversation({ run, repository, conversation, isOver }: ConversationProps) {
  const [isSwitching, setSwitching] = useState(false);
  const { agent_type: type, identifier, agent, model, turns } = conversation;
  return (
    <div className={own.conversation}>
      <div className={page.line}>
        <strong className="mono">
          {type}/{identifier}
        </strong>
        <span>
          {agent}
          {model && ` · ${model}`}
        </span>
        <span className="dim">{plural(turns ?? 0, "turn")}</span>
        {conversation.is_working && <Status status="running" word="working" />}
        {!isOver && (
          <Button
            variant="subtle"
            aria-expanded={isSwitching}
            onClick={() => setSwitching(!isSwitching)}
          >
            {isSwitching ? "Cancel" : "Switch agent…"}
          </Button>
        )}
      </div>
      {isSwitching && (
        <Switching
          run={run}
          repository={repository}
          session={Number(conversation.session_id.split("/session-")[1] ?? 0)}
          onDone={() => setSwitching(false)}
        />
      )}
    </div>
  );
}

interface SwitchingProps {
  readonly run: string;
  readonly repository: string;
  readonly session: number;
  readonly onDone: () => void;
}

function Switching({ run, repository, session, onDone }: SwitchingProps) {
  const [choice, setChoice] = useState(DEFAULT_AGENT);
  const command = useCommand((command_id: string, { agent, model }: AgentChoice) =>
    post(
      "/v1/flow-runs/{run}/sessions/{number}/switch-agent",
      { run, number: session },
      { command_id, agent, model: model.trim() || null, options: {} },
    ),
  );
  const send = async () => {
    if ((await command.send(choice)) !== null) {
      onDone();
    }
  };
  return (
    <div className={page.form}>
      <AgentPicker
        label="Continue with"
        none="Choose an agent"
        repository={repository}
        value={choice}
        onChange={setChoice}
      />
      <div className={page.line}>
        <CommandButton disabled={choice.agent === ""} command={command} onClick={() => void send()}>
          Switch
        </CommandButton>
      </div>
      <Failure problem={command.problem} />
    </div>
  );
}

/** Show what steps gave under a name. */
export function Outputs({ view }: Props) {
  return Object.entries(view.outputs ?? {}).map(([name, output]) => (
    <details key={name}>
      <summary>{name}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={page.code} tabIndex={0}>
        {output.text}
      </pre>
    </details>
  ));
}
