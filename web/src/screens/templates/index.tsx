/** Templates: how plans are made and verified, and whole workflows to start. */

import { Tabs } from "@mantine/core";
import { useSearchParams } from "wouter";
import { problemOf, useTemplates, useWorkflowTemplates } from "@/api/resources";
import { NewTemplate } from "@/screens/templates/NewTemplate";
import { PlanTemplate } from "@/screens/templates/PlanTemplate";
import { Workflow } from "@/screens/templates/Workflow";
import { Failure } from "@/ui/Failure";
import { ListDetailPage } from "@/ui/Page";
import room from "@/ui/page.module.css";
import { RepositoryFilter, useChosenRepository } from "@/ui/RepositoryPicker";
import { RovingList } from "@/ui/RovingList";
import { Status } from "@/ui/Status";

type Kind = "plan" | "workflow";

const SCOPES = { repo: "repository", user: "yours", builtin: "built in" } as const;

/** The room of the templates. */
export default function Screen() {
  const [repository, setRepository] = useChosenRepository();
  const [query] = useSearchParams();
  const kind: Kind = query.get("kind") === "workflow" ? "workflow" : "plan";
  const chosen = query.get("of") ?? "";
  const addressOf = (of: string, other: Kind = kind) =>
    `/templates?${new URLSearchParams({ kind: other, of, repository })}`;
  return (
    <ListDetailPage
      title="Templates"
      below={<RepositoryFilter value={repository} onChange={setRepository} />}
      listLabel="All templates"
      back={addressOf("")}
      list={<Lists kind={kind} chosen={chosen} repository={repository} addressOf={addressOf} />}
      detail={
        chosen === "" ? null : kind === "plan" ? (
          <PlanTemplate key={chosen} choice={chosen} repository={repository} />
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
  readonly addressOf: (of: string, kind?: Kind) => string;
}

function Lists({ kind, chosen, repository, addressOf }: ListsProps) {
  const [, setQuery] = useSearchParams();
  return (
    <Tabs value={kind} onChange={(value) => setQuery({ kind: value ?? "plan", repository })}>
      <Tabs.List>
        <Tabs.Tab value="plan">Plans</Tabs.Tab>
        <Tabs.Tab value="workflow">Workflows</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="plan" pt="xs">
        <Plans chosen={chosen} repository={repository} addressOf={addressOf} />
      </Tabs.Panel>
      <Tabs.Panel value="workflow" pt="xs">
        <Workflows chosen={chosen} repository={repository} addressOf={addressOf} />
      </Tabs.Panel>
    </Tabs>
  );
}

type ListProps = Omit<ListsProps, "kind">;

function Plans({ chosen, repository, addressOf }: ListProps) {
  const query = useTemplates(repository);
  return (
    <>
      <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      <RovingList
        label="Plan templates"
        items={query.data?.templates ?? []}
        getKey={(found) => found.choice}
        href={(found) => addressOf(found.choice, "plan")}
        render={(found) => (
          <div className={room.row} data-chosen={chosen === found.choice}>
            <div className={room.rowLine}>
              <span className={room.rowName}>{found.label}</span>
              {found.problem ? (
                <Status status="failed" word="broken" />
              ) : found.is_trusted === false ? (
                <Status status="waiting" word="not trusted" />
              ) : (
                found.is_default && <span className="dim">default</span>
              )}
            </div>
            <div className={room.rowText}>{found.problem?.message ?? found.description}</div>
          </div>
        )}
      />
      <NewTemplate repository={repository} />
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
          <div className={room.row} data-chosen={chosen === found.name}>
            <div className={room.rowLine}>
              <span className={room.rowName}>{found.name}</span>
              {(found.problems ?? []).length > 0 ? (
                <Status status="failed" word="broken" />
              ) : (
                <span className="dim">
                  {SCOPES[found.scope]} · {found.template?.goals.length ?? 0} goals
                </span>
              )}
            </div>
            <div className={room.rowText}>
              {found.problems?.[0]?.message ?? found.template?.description}
            </div>
          </div>
        )}
      />
    </>
  );
}
