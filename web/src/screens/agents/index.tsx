/** Agents: which there are, what each still needs, and how to fix it. */

import { useParams } from "wouter";
import type { Schemas } from "@/api/client";
import { problemOf, useAgents } from "@/api/resources";
import { AddAgent } from "@/screens/agents/AddAgent";
import { AgentDetail } from "@/screens/agents/AgentDetail";
import { AgentStatus } from "@/screens/agents/AgentStatus";
import { nameIn } from "@/ui/addresses";
import { isReady } from "@/ui/agent_ready";
import { Failure } from "@/ui/Failure";
import { HostFilter, useChosenHost } from "@/ui/HostFilter";
import { LinkButton } from "@/ui/LinkButton";
import { ListDetailPage, ListRow } from "@/ui/Page";
import page from "@/ui/page.module.css";
import { RepositoryFilter, useChosenRepository } from "@/ui/RepositoryPicker";
import { RovingList } from "@/ui/RovingList";
import { Safe } from "@/ui/Safe";

type Agent = Schemas["AgentStatus"];

const NEW = "+";

/** The screen of the agents. */
export default function Screen() {
  const name = nameIn(useParams<{ name?: string }>().name ?? "");
  const [repository, setRepository] = useChosenRepository();
  const [host, setHost] = useChosenHost();
  const query = useAgents(repository, host);
  const agents = query.data?.agents ?? [];
  const detail =
    name === NEW ? (
      <AddAgent />
    ) : name === "" ? null : (
      <AgentDetail key={`${host}/${name}`} name={name} repository={repository} host={host} />
    );
  return (
    <ListDetailPage
      title="Agents"
      actions={<LinkButton to={`/agents/${encodeURIComponent(NEW)}`}>Add custom agent</LinkButton>}
      below={
        <>
          <RepositoryFilter value={repository} onChange={setRepository} />
          {name !== NEW && <HostFilter value={host} onChange={setHost} />}
        </>
      }
      listLabel="All agents"
      back={addressOf("", host)}
      list={
        <>
          <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
          <Group title="Ready" agents={agents.filter(isReady)} chosen={name} host={host} />
          <Group
            title="Setup required"
            agents={agents.filter((agent) => !isReady(agent))}
            chosen={name}
            host={host}
          />
        </>
      }
      detail={detail}
      none={<p className="dim">Select an agent to see its status and setup.</p>}
    />
  );
}

interface GroupProps {
  readonly title: string;
  readonly agents: readonly Agent[];
  readonly chosen: string;
  readonly host: string;
}

function addressOf(name: string, host: string): string {
  const query = host === "" ? "" : `?${new URLSearchParams({ host })}`;
  return `/agents${name === "" ? "" : "/"}${encodeURIComponent(name)}${query}`;
}

function Group({ title, agents, chosen, host }: GroupProps) {
  if (agents.length === 0) {
    return null;
  }
  return (
    <>
      <h2 className={page.groupTitle}>{title}</h2>
      <RovingList
        label={title}
        items={agents}
        getKey={(agent) => agent.path}
        href={(agent) => addressOf(agent.name, host)}
        render={(agent) => (
          <ListRow
            isChosen={chosen === agent.name}
            name={<Safe text={agent.title || agent.name} />}
            status={<AgentStatus agent={agent} />}
          >
            <span className="mono">{agent.name}</span>
            {agent.version && ` · ${agent.version}`}
            {agent.scope !== "built-in" && ` · ${agent.scope}`}
          </ListRow>
        )}
      />
    </>
  );
}
