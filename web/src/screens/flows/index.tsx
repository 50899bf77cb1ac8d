/** Flows: which there are, what they do, and how to run one. */

import { useParams } from "wouter";
import type { Schemas } from "@/api/client";
import { problemOf, useFlows } from "@/api/resources";
import { FlowDetail } from "@/screens/flows/FlowDetail";
import { Runs } from "@/screens/flows/Runs";
import { nameIn } from "@/ui/addresses";
import { Failure } from "@/ui/Failure";
import { FileStatus } from "@/ui/FileStatus";
import { ListDetailPage, ListRow } from "@/ui/Page";
import page from "@/ui/page.module.css";
import { RepositoryFilter, useChosenRepository } from "@/ui/RepositoryPicker";
import { RovingList } from "@/ui/RovingList";

type Flow = Schemas["FlowRow"];

const SCOPES = { repository: "Repository", user: "Yours", "built-in": "Built in" } as const;

function addressOf(flow: Flow, repository: string): string {
  const name = flow.is_hidden ? `${flow.scope}:${flow.name}` : flow.name;
  return `/flows/${encodeURIComponent(name)}?repository=${encodeURIComponent(repository)}`;
}

/** The screen of flows. */
export default function Screen() {
  const name = nameIn(useParams<{ name?: string }>().name ?? "");
  const [repository, setRepository] = useChosenRepository();
  const query = useFlows(repository);
  return (
    <ListDetailPage
      title="Flows"
      below={<RepositoryFilter value={repository} onChange={setRepository} />}
      listLabel="All flows"
      back="/flows"
      list={
        <>
          <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
          <List flows={query.data?.flows ?? []} repository={repository} chosen={name} />
          <p className="dim">
            A flow is defined in a file <code>flows/NAME.json</code> of a repository or your
            configuration folder. Changes take effect immediately.
          </p>
        </>
      }
      detail={name === "" ? null : <FlowDetail key={name} name={name} repository={repository} />}
      none={<Runs />}
    />
  );
}

interface ListProps {
  readonly flows: readonly Flow[];
  readonly repository: string;
  readonly chosen: string;
}

function List({ flows, repository, chosen }: ListProps) {
  const groups = Object.entries(SCOPES).map(
    ([scope, title]) => [title, flows.filter((flow) => flow.scope === scope)] as const,
  );
  return groups.map(
    ([title, of]) =>
      of.length > 0 && (
        <div key={title}>
          <h2 className={page.groupTitle}>{title}</h2>
          <RovingList
            label={`Flows: ${title}`}
            items={of}
            getKey={(flow) => flow.path}
            href={(flow) => addressOf(flow, repository)}
            render={(flow) => (
              <Row
                flow={flow}
                isChosen={chosen === flow.name || chosen === `${flow.scope}:${flow.name}`}
              />
            )}
          />
        </div>
      ),
  );
}

function Row({ flow, isChosen }: { readonly flow: Flow; readonly isChosen: boolean }) {
  const steps = `${flow.steps} steps`;
  const status = (
    <FileStatus
      isBroken={flow.disabled === true}
      isHidden={flow.is_hidden ?? false}
      isTrusted={flow.is_trusted}
    >
      <span className="dim">{steps}</span>
    </FileStatus>
  );
  return (
    <ListRow isChosen={isChosen} name={flow.name} status={status}>
      {flow.disabled ? (flow.error ?? "").split("\n")[0] : flow.description || steps}
    </ListRow>
  );
}
