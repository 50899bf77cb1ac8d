/** One agent: its status, what it needs, what it can do, and its checks. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { ofHost, problemOf, useAgent } from "@/api/resources";
import { SERVER } from "@/api/roles";
import { AgentStatus } from "@/screens/agents/AgentStatus";
import classes from "@/screens/agents/agents.module.css";
import { Check } from "@/screens/agents/Check";
import { Records } from "@/ui/AgentPicker";
import { Ago } from "@/ui/Ago";
import { Failure } from "@/ui/Failure";
import { ForRole, ProjectContext } from "@/ui/ForRole";
import { Facts } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import page from "@/ui/page.module.css";
import { Trust } from "@/ui/Trust";

interface Props {
  readonly name: string;
  readonly repository: string;
  /** Whose agent it is; empty is the first host that has it. */
  readonly host: string;
}

type Details = Schemas["AgentDetails"];

/** What the API answers where no agent could have such a name. */
const NO_NAME = 422;

/** Show an agent by its name. */
export function AgentDetail({ name, repository, host }: Props) {
  const query = useAgent(name, repository, host);
  const [check, setCheck] = useState<number | null>(null);
  if (query.error) {
    const problem = problemOf(query.error);
    if (problem?.status === NO_NAME) {
      return <p role="alert">Agent not found.</p>;
    }
    return <Failure problem={problem} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) {
    return <p className="dim">Loading the agent…</p>;
  }
  const details = query.data;
  const agent = details.status;
  return (
    <div className={page.column}>
      <header className={page.line}>
        <h2>{agent.title || agent.name}</h2>
        <AgentStatus agent={agent} />
      </header>
      {agent.problem && <p role="alert">{agent.problem}</p>}
      {agent.is_trusted === false && (
        <Trust
          what="this agent"
          acts={[(details.command ?? []).join(" ")]}
          contentHash={agent.content_hash ?? ""}
          query="agents"
          host={host}
          trust={() =>
            post(
              "/v1/agents/{name}/trust",
              { name: agent.name },
              { repository, content_hash: agent.content_hash ?? "" },
              ofHost(host),
            )
          }
        />
      )}
      <Needs agent={agent} repository={repository} host={host} onCheck={setCheck} />
      {check !== null && <Check key={check} name={agent.name} number={check} />}
      <Records repository={repository} agent={agent.name} />
      <StatusPanel details={details} />
      <Capabilities seen={agent.seen ?? null} />
      <Started details={details} />
    </div>
  );
}

interface NeedsProps {
  readonly agent: Schemas["AgentStatus"];
  readonly repository: string;
  readonly host: string;
  readonly onCheck: (number: number) => void;
}

function Needs({ agent, repository, host, onCheck }: NeedsProps) {
  const command = useCommand((command_id: string, kind: Schemas["CheckKind"]) =>
    post(
      "/v1/agents/{name}/{kind}",
      { name: agent.name, kind },
      { command_id, repository: repository || null },
      ofHost(host),
    ),
  );
  const begin = async (kind: Schemas["CheckKind"]) => {
    const started = await command.send(kind);
    if (started) {
      onCheck(started.check);
    }
  };
  const missing = agent.missing ?? [];
  const isAway = agent.is_installed === false;
  const isSending = command.state === "sending";
  return (
    <Panel title={missing.length === 0 ? "Ready to use" : "Setup required"}>
      {missing.map(({ what, fix, is_in_the_way: isInTheWay }) => (
        <div key={what} className={classes.missing}>
          <span className={isInTheWay ? undefined : "dim"}>{what}</span>
          {fix && <code>{fix}</code>}
          {!isInTheWay && <span className="dim">(it may still work)</span>}
        </div>
      ))}
      <div className={page.line}>
        <ProjectContext value={SERVER}>
          <ForRole needs="admin">
            {isAway && (
              <Button loading={isSending} onClick={() => void begin("install")}>
                Install {agent.pinned}
              </Button>
            )}
            <Button variant="default" loading={isSending} onClick={() => void begin("look")}>
              Inspect
            </Button>
            <Button
              variant="default"
              disabled={isAway}
              loading={isSending}
              onClick={() => void begin("try")}
            >
              Run a test
            </Button>
          </ForRole>
        </ProjectContext>
        <span className="dim">
          The test is one harmless turn: the agent reads a file and answers.
        </span>
      </div>
      {agent.is_scripted && (
        <p className="dim">
          It plays a scripted scenario without a model: it does only what a repository’s
          <code> .treadle/scenario.yaml</code> says.
        </p>
      )}
      <Failure problem={command.problem} />
    </Panel>
  );
}

const LOGINS: Readonly<Record<string, string>> = {
  yes: "yes",
  no: "no",
  unknown: "unknown until tested",
  "not needed": "not needed",
};

function StatusPanel({ details }: { readonly details: Details }) {
  const agent = details.status;
  const tried = agent.tried;
  const installed = agent.version || agent.seen?.version || (agent.is_installed ? "yes" : "no");
  return (
    <Panel title="Status">
      <Facts
        facts={[
          ["Installed", agent.is_installed === null ? "unknown" : installed],
          ["Tested version", agent.pinned ?? ""],
          ["Program", agent.program && <code>{agent.program}</code>],
          [
            "Login",
            `${LOGINS[agent.login ?? "unknown"] ?? ""}${agent.login_by ? ` (${agent.login_by})` : ""}`,
          ],
          [
            "Last test",
            tried?.at ? (
              <>
                <Ago at={tried.at} suffix=" ago" />:{" "}
                {tried.is_well ? tried.text || "passed" : tried.failure}
              </>
            ) : (
              ""
            ),
          ],
          ["Scope", agent.scope],
          ["File", <code key="path">{agent.path}</code>],
        ]}
      />
    </Panel>
  );
}

const CAN: Readonly<Record<string, string>> = {
  load: "loads past sessions",
  resume: "resumes sessions",
  list: "lists sessions",
  close: "closes sessions",
  fork: "forks sessions",
  image: "accepts images",
  audio: "accepts audio",
  embedded_context: "accepts files in messages",
  mcp_http: "MCP over HTTP",
  mcp_sse: "MCP over SSE",
};

function Capabilities({ seen }: { readonly seen: Schemas["Seen"] | null }) {
  const can: Readonly<Record<string, boolean>> = { ...(seen?.capabilities ?? {}) };
  if (seen === null) {
    return (
      <Panel title="Capabilities">
        <p className="dim">Not started yet. Inspect it to find out.</p>
      </Panel>
    );
  }
  return (
    <Panel title="Capabilities">
      <Facts
        facts={Object.entries(CAN).map(([name, words]) => [words, can[name] ? "yes" : "no"])}
      />
      <p className="dim">
        Detected <Ago at={seen.at} suffix=" ago" /> of {seen.version || "the program"}.
      </p>
    </Panel>
  );
}

function Started({ details }: { readonly details: Details }) {
  const text = (values: readonly string[] | undefined) => (values ?? []).join(", ");
  const modes = Object.entries(details.modes ?? {}).map(([ours, its]) => `${ours}: ${its}`);
  return (
    <Panel title="Launch settings">
      <Facts
        facts={[
          ["Command", <code key="command">{(details.command ?? []).join(" ")}</code>],
          ["Package", details.package ?? ""],
          ["Provider", details.provider ?? ""],
          ["Environment variables", text(details.environment)],
          ["Sets", text(details.sets)],
          ["Modes", modes.join(", ")],
          ["Writable folders", text(details.own_folders)],
        ]}
      />
      <p className="dim">
        Choose agents per role in <Link href="/new">a new thread</Link>, a flow, or the queue.
      </p>
    </Panel>
  );
}
