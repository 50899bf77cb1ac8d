/** Plan files: what a thread's agents keep for themselves over long work. */

import { Button, NativeSelect, SegmentedControl, Switch, Tabs } from "@mantine/core";
import { useLocation, useParams, useSearchParams } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useThread } from "@/api/queries";
import { problemOf, usePlanFiles } from "@/api/resources";
import { History } from "@/screens/plan_files/History";
import {
  FILES,
  fileAddress,
  setPlanFiles,
  useFileText,
  type Which,
} from "@/screens/plan_files/queries";
import { CommandButton } from "@/ui/CommandButton";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Markdown } from "@/ui/Markdown";
import { Page } from "@/ui/Page";
import page from "@/ui/page.module.css";

type View = "rendered" | "source" | "history";

const VIEWS: readonly View[] = ["rendered", "source", "history"];

/** The screen of a thread's plan files. */
export default function Screen() {
  const { thread = "", which } = useParams<{ thread: string; which?: string }>();
  const snapshot = useThread(thread);
  const query = usePlanFiles(thread, snapshot.data?.position ?? null);
  const chosen = FILES.find((file) => file === which) ?? "task_plan";
  const files = query.data;
  const isEmpty =
    files !== undefined && Object.keys(files.files).length === 0 && files.archived.length === 0;
  return (
    <Page
      title={`Plan files: ${snapshot.data?.topic || snapshot.data?.goal || thread}`}
      actions={
        <>
          {files && <OnOff files={files} />}
          <LinkButton to={`/threads/${thread}`}>Back to thread</LinkButton>
        </>
      }
    >
      <div className={`${page.column} ${page.padded}`}>
        <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        {isEmpty && <NoFiles files={files} />}
        {files && !isEmpty && <Files files={files} which={chosen} />}
      </div>
    </Page>
  );
}

type FilesView = Schemas["PlanFilesView"];

function OnOff({ files }: { readonly files: FilesView }) {
  const command = useCommand(setPlanFiles);
  return (
    <>
      <Failure problem={command.problem} />
      <Switch
        label="Agents keep plan files"
        checked={files.is_on}
        disabled={command.state === "sending"}
        onChange={(event) => void command.send(files.thread_id, event.currentTarget.checked)}
      />
    </>
  );
}

function NoFiles({ files }: { readonly files: FilesView }) {
  const command = useCommand(setPlanFiles);
  return (
    <Empty
      title="No plan files yet"
      text={
        files.is_on
          ? "Plan files are on: agents create them for work of three steps or more."
          : "During long work, agents lose context. With plan files, an agent keeps its plan, findings, and progress in files that persist."
      }
    >
      {!files.is_on && (
        <CommandButton command={command} onClick={() => void command.send(files.thread_id, true)}>
          Turn on plan files
        </CommandButton>
      )}
      <Failure problem={command.problem} />
    </Empty>
  );
}

function Files({ files, which }: { readonly files: FilesView; readonly which: Which }) {
  const [, go] = useLocation();
  const [query, setQuery] = useSearchParams();
  const archive = query.get("archive") ?? "";
  const view = VIEWS.find((each) => each === query.get("show")) ?? "rendered";
  const address = `/threads/${files.thread_id}/plan-files`;
  const change = (name: string, value: string) =>
    setQuery(
      (before) => {
        before.set(name, value);
        return before;
      },
      { replace: true },
    );
  const saved = files.archived.find((each) => each.name === archive);
  const known: Readonly<Record<string, { content_ref?: string; size_bytes?: number }>> =
    saved?.files ?? files.files;
  return (
    <Tabs
      value={which}
      onChange={(file) => go(`${address}/${file ?? "task_plan"}?${query}`)}
      keepMounted={false}
    >
      <Tabs.List>
        {FILES.map((file) => (
          <Tabs.Tab key={file} value={file}>
            {file}.md
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={which} pt="md">
        <div className={page.form}>
          <div className={page.line}>
            <SegmentedControl
              aria-label="Show"
              data={VIEWS.map((each) => ({ value: each, label: each }))}
              value={view}
              onChange={(value) => change("show", value)}
            />
            <NativeSelect
              size="xs"
              aria-label="Version"
              value={archive}
              onChange={(event) => change("archive", event.currentTarget.value)}
              data={[
                { value: "", label: "current" },
                ...files.archived.map(({ name }) => ({ value: name, label: name })),
              ]}
            />
            {known[which]?.content_ref && (
              <Button
                variant="default"
                component="a"
                href={fileAddress(files.thread_id, which, archive)}
                download={`${which}.md`}
              >
                Export
              </Button>
            )}
            <code className="dim">treadle plan-files {files.thread_id} --export DIR</code>
          </div>
          {view === "history" ? (
            <History thread={files.thread_id} which={which} />
          ) : (
            <Text
              thread={files.thread_id}
              which={which}
              archive={archive}
              contentRef={known[which]?.content_ref ?? ""}
              isSource={view === "source"}
            />
          )}
        </div>
      </Tabs.Panel>
    </Tabs>
  );
}

interface TextProps {
  readonly thread: string;
  readonly which: Which;
  readonly archive: string;
  readonly contentRef: string;
  readonly isSource: boolean;
}

function Text({ thread, which, archive, contentRef, isSource }: TextProps) {
  const query = useFileText(thread, which, archive, contentRef);
  if (contentRef === "") {
    return <p className="dim">There is no {which} in this plan.</p>;
  }
  if (query.error) {
    return <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />;
  }
  if (query.data === undefined) {
    return <p className="dim">Loading…</p>;
  }
  return isSource ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={page.code} tabIndex={0}>
      {query.data}
    </pre>
  ) : (
    <>
      <h2 className="visually-hidden">{which}</h2>
      <Markdown text={query.data} />
    </>
  );
}
