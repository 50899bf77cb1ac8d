/** Threads: all of them as a list or on a board, found as one types, renamed, archived, removed. */

import { Button, Loader, NativeSelect, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { problemOf, useRepositories } from "@/api/resources";
import type { ThreadFilters } from "@/api/thread_news";
import { useKeys } from "@/keyboard/registry";
import { DeletionDialog } from "@/screens/threads/DeletionDialog";
import { STATUSES, useFilters, useThreadPages, useView, VIEWS } from "@/screens/threads/pages";
import { RenameDialog } from "@/screens/threads/RenameDialog";
import { ThreadRow } from "@/screens/threads/ThreadRow";
import classes from "@/screens/threads/threads.module.css";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";
import { RovingList } from "@/ui/RovingList";

type ThreadLine = Schemas["ThreadLine"];

const Board = lazy(() => import("@/screens/threads/board/Board"));

const TYPED_MS = 200;

interface Asked {
  readonly what: "rename" | "delete";
  readonly line: ThreadLine;
}

export default function Screen() {
  const [filters, narrow] = useFilters();
  const [view, setView] = useView();
  const [, go] = useLocation();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { query, lines } = useThreadPages(filters);
  const isNarrowed = Object.keys(filters).length > 0;
  const isBoard = view === "board";
  const close = () => setAsked(null);
  const ask = useCallback((what: Asked["what"], line: ThreadLine) => setAsked({ what, line }), []);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const isDue = isBoard && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isDue) {
      void fetchNextPage(); // a board counts all of them
    }
  }, [isDue, fetchNextPage]);
  useKeys("Threads", [
    { keys: "v", label: "Board or list", run: () => setView(isBoard ? "list" : "board") },
  ]);
  return (
    <Page
      title="Threads"
      actions={
        <>
          <SegmentedControl
            aria-label="View"
            data={[...VIEWS]}
            value={view}
            onChange={(chosen) => setView(chosen === "board" ? "board" : "list")}
          />
          <LinkButton to="/new" variant="filled">
            New thread
          </LinkButton>
        </>
      }
      below={<Filters filters={filters} onNarrow={narrow} />}
    >
      {query.error && (
        <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      )}
      {lines === undefined && !query.error && (
        <Loader m="xl" size="sm" role="status" aria-label="Loading" />
      )}
      {isBoard && lines !== undefined && (
        <Suspense fallback={<Loader m="xl" size="sm" role="status" aria-label="Loading" />}>
          <Board
            lines={lines}
            filters={filters}
            position={query.data?.pages[0]?.position ?? 0}
            isPartial={hasNextPage}
            onAsk={ask}
          />
        </Suspense>
      )}
      {!isBoard && lines?.length === 0 && <NothingFound isNarrowed={isNarrowed} />}
      {!isBoard && lines !== undefined && lines.length > 0 && (
        <div className={classes.frame} data-stale={query.isPlaceholderData}>
          <div className={classes.list}>
            <RovingList
              label="Threads, recently updated first"
              keyScope="Threads"
              items={lines}
              getKey={(line) => line.thread_id}
              hasControls
              isVirtual
              onOpen={(line) => go(`/threads/${line.thread_id}`)}
              render={(line, isActive) => <ThreadRow line={line} isActive={isActive} onAsk={ask} />}
            />
          </div>
          {query.hasNextPage && (
            <Button
              className={classes.more ?? ""}
              variant="default"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              Show older threads
            </Button>
          )}
        </div>
      )}
      {asked?.what === "rename" && <RenameDialog line={asked.line} onClose={close} />}
      {asked?.what === "delete" && (
        <DeletionDialog thread={asked.line.thread_id} title={asked.line.title} onClose={close} />
      )}
    </Page>
  );
}

interface FiltersProps {
  readonly filters: ThreadFilters;
  readonly onNarrow: (name: keyof ThreadFilters, value: string) => void;
}

function Filters({ filters, onNarrow }: FiltersProps) {
  const field = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback((text: string) => onNarrow("q", text.trim()), TYPED_MS);
  const projects = useRepositories();
  const project = filters.project ?? "";
  const known = project === "" || projects.includes(project) ? projects : [project, ...projects];
  useKeys("Threads list", [{ keys: "/", label: "Search", run: () => field.current?.focus() }]);
  return (
    <search className={classes.filters}>
      <TextInput
        ref={field}
        className={classes.search ?? ""}
        aria-label="Search threads"
        placeholder="Search   /"
        defaultValue={filters.q ?? ""}
        onChange={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.currentTarget.blur();
          }
        }}
      />
      <NativeSelect
        size="xs"
        aria-label="Status"
        value={filters.status ?? ""}
        data={STATUSES.map(([value, label]) => ({ value, label }))}
        onChange={(event) => onNarrow("status", event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Project"
        value={project}
        data={[
          { value: "", label: "All projects" },
          ...known.map((path) => ({ value: path, label: path.split("/").at(-1) ?? path })),
        ]}
        onChange={(event) => onNarrow("project", event.currentTarget.value)}
      />
      <Switch
        size="xs"
        label="Archived"
        checked={filters.archived ?? false}
        onChange={(event) => onNarrow("archived", event.currentTarget.checked ? "yes" : "")}
      />
    </search>
  );
}

function NothingFound({ isNarrowed }: { readonly isNarrowed: boolean }) {
  return isNarrowed ? (
    <Empty title="No matching threads" text="Try other words or fewer filters.">
      <LinkButton to="/threads">Show all</LinkButton>
    </Empty>
  ) : (
    <Empty
      title="No threads yet"
      text="A thread takes one goal in one repository from plan to merge."
    >
      <LinkButton to="/new">New thread</LinkButton>
    </Empty>
  );
}
