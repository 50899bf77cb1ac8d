/** Templates: how plans are made and verified, and whole workflows to start. */

import { Tabs } from "@mantine/core";
import { useSearchParams } from "wouter";
import { ofHost, problemOf, useTemplates, useWorkflowTemplates } from "@/api/resources";
import { plural } from "@/format";
import { NewTemplate } from "@/screens/templates/NewTemplate";
import { PlanTemplate } from "@/screens/templates/PlanTemplate";
import { Workflow } from "@/screens/templates/Workflow";
import { Failure } from "@/ui/Failure";
import { FileStatus } from "@/ui/FileStatus";
import { HostFilter, useChosenHost } from "@/ui/HostFilter";
import { ListDetailPage, ListRow } from "@/ui/Page";
import { RepositoryFilter, useChosenRepository } from "@/ui/RepositoryPicker";
import { RovingList } from "@/ui/RovingList";

type Kind = "plan" | "workflow";

const SCOPES = { repo: "repository", user: "yours", builtin: "built in" } as const;

/** The screen of the templates. */
export default function Screen() {
  const [repository, setRepository] = useChosenRepository();
  const [host, setHost] = useChosenHost();
  const [query] = useSearchParams();
  const kind: Kind = query.get("kind") === "workflow" ? "workflow" : "plan";
  const chosen = query.get("of") ?? "";
  const addressOf = (of: string, other: Kind = kind) =>
    `/templates?${new URLSearchParams({ kind: other, of, repository, ...ofHost(host) })}`;
  return (
    <ListDetailPage
      title="Templates"
      below={
        <>
          <RepositoryFilter value={repository} onChange={setRepository} />
          {kind === "plan" && <HostFilter value={host} onChange={setHost} />}
        </>
      }
      listLabel="All templates"
      back={addressOf("")}
      list={
        <Lists
          kind={kind}
          chosen={chosen}
          repository={repository}
          host={host}
          addressOf={addressOf}
        />
      }
      detail={
        chosen === "" ? null : kind === "plan" ? (
          <PlanTemplate key={chosen} choice={chosen} repository={repository} host={host} />
        ) : (
          <Workflow key={chosen} name={chosen} repository={repository} />
        )
      }
      none={<p className="dim">Select a template.</p>}
    />
  );
}

interface ListsProps {
  readonly kind: Kind;
  readonly chosen: string;
  readonly repository: string;
  readonly host: string;
  readonly addressOf: (of: string, kind?: Kind) => string;
}

function Lists({ kind, chosen, repository, host, addressOf }: ListsProps) {
  const [, setQuery] = useSearchParams();
  return (
    <Tabs
      value={kind}
      onChange={(value) => setQuery({ kind: value ?? "plan", repository, ...ofHost(host) })}
    >
      <Tabs.List>
        <Tabs.Tab value="plan">Plans</Tabs.Tab>
        <Tabs.Tab value="workflow">Workflows</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="plan" pt="xs">
        <Plans chosen={chosen} repository={repository} host={host} addressOf={addressOf} />
      </Tabs.Panel>
      <Tabs.Panel value="workflow" pt="xs">
        <Workflows chosen={chosen} repository={repository} host={host} addressOf={addressOf} />
      </Tabs.Panel>
    </Tabs>
  );
}

type ListProps = Omit<ListsProps, "kind">;

function Plans({ chosen, repository, host, addressOf }: ListProps) {
  const query = useTemplates(repository, host);
  return (
    <>
      <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      <RovingList
        label="Plan templates"
        items={query.data?.templates ?? []}
        getKey={(found) => found.choice}
        href={(found) => addressOf(found.choice, "plan")}
        render={(found) => (
          <ListRow
            isChosen={chosen === found.choice}
            name={found.label}
            status={
              <FileStatus isBroken={Boolean(found.problem)} isTrusted={found.is_trusted}>
                {found.is_default && <span className="dim">default</span>}
              </FileStatus>
            }
          >
            {found.problem?.message ?? found.description}
          </ListRow>
        )}
      />
      <NewTemplate key={host} repository={repository} host={host} />
    </>
  );
}

function Workflows({ chosen, repository, addressOf }: ListProps) {
  const query = useWorkflowTemplates(repository);
  return (
    <>
      <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      <RovingList
        label="Workflow templates"
        items={query.data?.workflow_templates ?? []}
        getKey={(found) => found.path}
        href={(found) => addressOf(found.name, "workflow")}
        render={(found) => (
          <ListRow
            isChosen={chosen === found.name}
            name={found.name}
            status={
              <FileStatus isBroken={(found.problems ?? []).length > 0}>
                <span className="dim">
                  {SCOPES[found.scope]} · {plural(found.template?.goals.length ?? 0, "goal")}
                </span>
              </FileStatus>
            }
          >
            {found.problems?.[0]?.message ?? found.template?.description}
          </ListRow>
        )}
      />
    </>
  );
}
