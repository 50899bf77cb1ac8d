/** All that a thread has changed, as a diff: of the whole branch, of a task, or of a session. */

import { Group, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { Problem, type Schemas } from "@/api/client";
import { useSteadyError } from "@/api/steady_error";
import { FileFilter, useFileFilter } from "@/diff/FileFilter";
import { LookControls } from "@/diff/LookControls";
import type { FilePatch } from "@/diff/patch";
import { useDiffSettings } from "@/diff/settings";
import { type DiffSource, DiffSourceContext, useSource } from "@/diff/whole_file";
import { plural } from "@/format";
import { fetchChanges } from "@/screens/thread/changes";
import { Merge } from "@/screens/thread/Merge";
import { tabsOf } from "@/screens/thread/sessions";
import classes from "@/screens/thread/thread.module.css";
import { Changes } from "@/tasks/review/Changes";
import { type Cursor, openFile } from "@/tasks/review/jumps";
import { usePatch, useStoredPatch } from "@/tasks/review/usePatch";
import { useViewed } from "@/tasks/review/viewed_files";
import { changesOf } from "@/tasks/works";
import { withParams } from "@/ui/addresses";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Worktree } from "@/ui/OpenIn";

type ThreadView = Schemas["ThreadView"];

interface Props {
  readonly thread: ThreadView;
  readonly isLive: boolean;
}

/** Let a person choose whose changes are shown, and show them. */
export function ThreadChanges({ thread, isLive }: Props) {
  const [query, setQuery] = useSearchParams();
  const choices = choicesOf(thread);
  const of = choices.find(({ value }) => value === query.get("of"))?.value ?? "";
  const task = changesOf(thread).find((one) => of === `tasks/${one.task.task_id}`)?.task;
  return (
    <div className={classes.padded}>
      <NativeSelect
        size="xs"
        mb="xs"
        aria-label="Show changes of"
        data={choices}
        value={of}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value;
          setQuery((now) => withParams(now, { of: chosen || null, file: null }), { replace: true });
        }}
      />
      {!isLive && <p className="dim">Showing current changes, not those at that moment.</p>}
      {task ? (
        <Worktree thread={thread.thread_id} of={{ task: task.task_id }}>
          <OfTask key={of} threadId={thread.thread_id} task={task} />
        </Worktree>
      ) : (
        <OfSession thread={thread} session={of}>
          <OfBranch key={of} thread={thread} session={of} isLive={isLive} />
        </OfSession>
      )}
    </div>
  );
}

interface OfSessionProps {
  readonly thread: ThreadView;
  readonly session: string;
  readonly children: ReactNode;
}

/** Files are opened where the session works; the branch itself has no worktree. */
function OfSession({ thread, session, children }: OfSessionProps) {
  return session === "" ? (
    children
  ) : (
    <Worktree thread={thread.thread_id} of={{ session: Number(session.split("-").at(-1)) }}>
      {children}
    </Worktree>
  );
}

function choicesOf(thread: ThreadView) {
  return [
    { value: "", label: `All, on ${thread.branch}` },
    ...changesOf(thread).map(({ task, label }) => ({ value: `tasks/${task.task_id}`, label })),
    ...tabsOf(thread)
      .filter(({ view }) => view.role === "chat")
      .map(({ name, label }) => ({ value: name, label: `Session: ${label}` })),
  ];
}

interface OfTaskProps {
  readonly threadId: string;
  readonly task: Schemas["TaskView"];
}

function OfTask({ threadId, task }: OfTaskProps) {
  const commit = task.snapshot?.diff_ref ? task.snapshot.commit : null;
  const patch = usePatch(threadId, task.task_id, commit, "base");
  return (
    <Patch
      name={`${threadId}.${task.task_id}`}
      files={commit === null ? [] : patch.files}
      error={patch.error}
      onRetry={() => void patch.refetch()}
      range={`${task.snapshot?.base.slice(0, 12)} ${commit?.slice(0, 12)}`}
      planted={task.snapshot?.planted ?? NONE}
      source={useSource(threadId, commit, task.snapshot?.base)}
    />
  );
}

interface OfBranchProps {
  readonly thread: ThreadView;
  /** `session-2`; empty for all of the branch. */
  readonly session: string;
  readonly isLive: boolean;
}

function OfBranch({ thread, session, isLive }: OfBranchProps) {
  const id = thread.thread_id;
  const turns = thread.sessions.reduce((all, one) => all + (one.turns ?? 0), 0);
  const found = useQuery({
    queryKey: ["changes", id, session, thread.status, thread.progress.done, turns, thread.landing],
    queryFn: () => fetchChanges(id, session),
    placeholderData: keepPreviousData,
  });
  const unread = useSteadyError(found);
  const patch = useStoredPatch(found.data?.diff_ref ?? null);
  const { base = "", commit = "" } = found.data ?? {};
  const source = useSource(id, commit, base);
  const isShown =
    found.data !== undefined && unread === null && !found.isPlaceholderData && patch.files !== null;
  return (
    <>
      {session === "" && isLive && <Merge thread={thread} shown={isShown ? found.data : null} />}
      <Patch
        name={`${id}.${session || "branch"}`}
        files={patch.files}
        error={unread ?? patch.error}
        onRetry={() => void (unread ? found.refetch() : patch.refetch())}
        range={`${base.slice(0, 12)} ${commit.slice(0, 12)}`}
        planted={plantedOf(thread)}
        source={source}
      />
    </>
  );
}

function plantedOf(thread: ThreadView): readonly string[] {
  return thread.tasks.flatMap(({ snapshot }) => snapshot?.planted ?? NONE);
}

const NONE: readonly string[] = [];
const NO_FILES: readonly FilePatch[] = [];
/** Lines are not commented here: that is for the review of a task. */
const NO_NOTES = { notesOf: () => [], paths: [], range: null };

interface PatchProps {
  readonly name: string;
  readonly files: readonly FilePatch[] | null;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly range: string;
  readonly planted: readonly string[];
  readonly source: DiffSource | null;
}

function Patch({ name, files, error, onRetry, range, planted, source }: PatchProps) {
  const [query] = useSearchParams();
  const viewed = useViewed(name, "changes");
  const settings = useDiffSettings();
  const filter = useFileFilter(files ?? NO_FILES);
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const box = useRef<HTMLElement>(null);
  const wanted = query.get("file");
  useEffect(() => {
    if (files !== null && wanted !== null && box.current !== null) {
      openFile(box.current, wanted);
    }
  }, [files, wanted]);
  const problem = error instanceof Problem ? error : null;
  if (files === null) {
    return error === null ? (
      <p className="dim">Loading changes…</p>
    ) : (
      <Failure problem={problem} onRetry={onRetry} />
    );
  }
  if (files.length === 0) {
    return <Empty title="No changes yet" text="Changes appear here when an agent's turn ends." />;
  }
  return (
    <section ref={box} aria-label="Change">
      <Failure problem={problem} onRetry={onRetry} />
      <Group gap="sm" mb="xs">
        <span>
          {plural(files.length, "file")} <Sum files={files} />
        </span>
        <LookControls settings={settings} />
      </Group>
      {files.length > 1 && <FileFilter filter={filter} all={files.length} />}
      <DiffSourceContext value={source}>
        <Changes
          files={filter.files}
          look={settings.look}
          viewed={viewed}
          planted={planted}
          notes={NO_NOTES}
          cursor={cursor}
          onCursor={setCursor}
          range={range}
        />
      </DiffSourceContext>
    </section>
  );
}

function Sum({ files }: { readonly files: readonly FilePatch[] }) {
  const insertions = files.reduce((all, file) => all + file.insertions, 0);
  const deletions = files.reduce((all, file) => all + file.deletions, 0);
  return (
    <span className="mono">
      +{insertions} −{deletions}
    </span>
  );
}
