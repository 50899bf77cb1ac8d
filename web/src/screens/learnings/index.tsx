/** Learnings: what tasks found out, by repository, and what becomes of it. */

import { Checkbox } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { useLearnings } from "@/api/reports";
import { problemOf } from "@/api/resources";
import { Entry } from "@/screens/learnings/Entry";
import own from "@/screens/learnings/learnings.module.css";
import { byRepository, type Learning, lifetimeOf } from "@/screens/learnings/standing";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import page from "@/ui/page.module.css";
import { RepositoryFilter } from "@/ui/RepositoryPicker";
import { Safe } from "@/ui/Safe";

/** The screen of the learnings; the repository and what is shown stand in its address. */
export default function Screen() {
  const [query, setQuery] = useSearchParams();
  const project = query.get("project") ?? "";
  const isWhole = query.get("all") === "1";
  const found = useLearnings(project);
  const queries = useQueryClient();
  const refresh = () => void queries.invalidateQueries({ queryKey: ["learnings"] });
  const change = (name: string, value: string) =>
    setQuery(
      (before) => {
        before.set(name, value);
        return before;
      },
      { replace: true },
    );
  const groups = byRepository(found.data?.learnings ?? [], isWhole);
  return (
    <Page
      title="Learnings"
      below={
        <>
          <RepositoryFilter value={project} onChange={(path) => change("project", path)} />
          <Checkbox
            label="Show expired, removed and promoted"
            checked={isWhole}
            onChange={(event) => change("all", event.currentTarget.checked ? "1" : "")}
          />
        </>
      }
    >
      <div className={`${page.column} ${page.padded}`}>
        <Failure problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
        {found.data && groups.length === 0 && (
          <Empty
            title="No learnings yet"
            text="What tasks learn is kept here once they complete, and offered to later plans and tasks where it is relevant."
          />
        )}
        {groups.length > 0 && (
          <p className="dim">
            Planners and tasks are offered those that are relevant to their work. Learnings that
            nobody uses for {lifetimeOf(found.data?.lifetime_days ?? 0)} expire.
          </p>
        )}
        {groups.map(([repository, learnings]) => (
          <Repository
            key={repository}
            repository={repository}
            learnings={learnings}
            onChanged={refresh}
          />
        ))}
      </div>
    </Page>
  );
}

interface RepositoryProps {
  readonly repository: string;
  readonly learnings: readonly Learning[];
  readonly onChanged: () => void;
}

function Repository({ repository, learnings, onChanged }: RepositoryProps) {
  return (
    <Panel title={<Safe text={repository} />}>
      <ul className={own.list} aria-label={`Learnings of ${repository}`}>
        {learnings.map((learning) => (
          <Entry key={learning.learning_id} learning={learning} onChanged={onChanged} />
        ))}
      </ul>
    </Panel>
  );
}
