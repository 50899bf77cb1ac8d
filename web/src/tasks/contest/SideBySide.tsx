/** The changes of two or three candidates, one file under the other, side by side. */

import { Button, Checkbox, Chip, Group, NativeSelect } from "@mantine/core";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Problem, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh, useThread } from "@/api/queries";
import type { DiffLook, Note } from "@/diff/DiffBody";
import { DiffFile } from "@/diff/DiffFile";
import { LookControls } from "@/diff/LookControls";
import type { MovedLines } from "@/diff/moved";
import { type FilePatch, pathOf } from "@/diff/patch";
import { useDiffSettings } from "@/diff/settings";
import { useMovedLines } from "@/diff/useMovedLines";
import { type DiffSource, DiffSourceContext, useSource } from "@/diff/whole_file";
import { putTogether } from "@/tasks/contest/commands";
import classes from "@/tasks/contest/contest.module.css";
import { agentOf, filesOf, gitDiff, partsOf } from "@/tasks/contest/rows";
import { usePatch } from "@/tasks/review/usePatch";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
import { Worktree } from "@/ui/OpenIn";
import { Safe } from "@/ui/Safe";

type Candidate = Schemas["CandidateView"];

const AT_FIRST = 2;
const NO_FILES: readonly FilePatch[] = [];
const NONE: readonly string[] = [];

/** The work of a candidate as it is shown. */
interface Shown {
  readonly files: readonly FilePatch[];
  readonly source: DiffSource | null;
  readonly moved: ReadonlyMap<string, MovedLines>;
  /** Files that make tools run something. */
  readonly planted: readonly string[];
}

interface Props {
  readonly threadId: string;
  readonly contest: Schemas["ContestView"];
  readonly canTake: boolean;
}

/** Show what the chosen candidates changed; at first that of the first two with work. */
export function SideBySide({ threadId, contest, canTake }: Props) {
  const done = contest.candidates.filter(({ commit }) => commit !== "");
  const [picked, pick] = useState<readonly string[] | null>(null);
  const chosen = picked ?? done.slice(0, AT_FIRST).map(({ candidate }) => candidate);
  const [picks, pickFile] = useState<Readonly<Record<string, string>>>({});
  const [read, setRead] = useState<Readonly<Record<string, Shown>>>({});
  const note = useCallback(
    (name: string, work: Shown) => setRead((all) => ({ ...all, [name]: work })),
    [],
  );
  const settings = useDiffSettings();
  const shown = done.filter(({ candidate }) => chosen.includes(candidate));
  const paths = filesOf(shown.map(({ candidate }) => (read[candidate]?.files ?? []).map(pathOf)));
  const isAlone = shown.length === 1;
  const look = useMemo(
    () => ({ ...settings.look, isSplit: settings.look.isSplit && isAlone }),
    [settings.look, isAlone],
  );
  if (done.length === 0) {
    return null;
  }
  return (
    <section aria-label="Changes side by side">
      <Chip.Group multiple value={[...chosen]} onChange={pick}>
        <Group gap={6} mb={8}>
          {done.map((candidate) => (
            <Chip key={candidate.candidate} value={candidate.candidate} size="xs">
              {candidate.letter} · <Safe text={agentOf(candidate)} />
            </Chip>
          ))}
          <LookControls settings={settings} hasColumns={isAlone} />
        </Group>
      </Chip.Group>
      {shown.map((candidate) => (
        <Reader
          key={`${candidate.candidate} ${candidate.commit}`}
          threadId={threadId}
          candidate={candidate}
          onRead={note}
        />
      ))}
      {paths.map((path) => (
        <div key={path} className={classes.columns}>
          {shown.map(({ candidate, letter, standing }) => (
            <Column
              key={candidate}
              threadId={threadId}
              candidate={candidate}
              letter={letter}
              path={path}
              work={read[candidate]}
              look={look}
              isPicked={picks[path] === candidate}
              canPick={canTake && standing === "ready"}
              onPick={(isPicked) => {
                const { [path]: _, ...others } = picks;
                pickFile(isPicked ? { ...others, [path]: candidate } : others);
              }}
            />
          ))}
        </div>
      ))}
      {canTake && Object.keys(picks).length > 0 && contest.request && (
        <ForRole needs="approver">
          <PutTogether
            threadId={threadId}
            taskId={contest.task_id}
            request={contest.request}
            ready={done.filter(({ standing }) => standing === "ready")}
            picks={picks}
            wasOf={(candidate, path) => renamedFrom(read[candidate]?.files ?? NO_FILES, path)}
          />
        </ForRole>
      )}
    </section>
  );
}

interface ReaderProps {
  readonly threadId: string;
  readonly candidate: Candidate;
  readonly onRead: (name: string, work: Shown) => void;
}

/** Read the patch of one candidate, and what its files are read by. */
function Reader({ threadId, candidate, onRead }: ReaderProps) {
  const { files, error, refetch } = usePatch(
    threadId,
    candidate.candidate,
    candidate.commit,
    "base",
  );
  const tasks = useThread(threadId).data?.candidates;
  const own = tasks?.find(({ task_id }) => task_id === candidate.candidate)?.snapshot;
  const snapshot = own?.commit === candidate.commit ? own : null;
  const source = useSource(threadId, candidate.commit, snapshot?.base);
  const planted = snapshot?.planted ?? NONE;
  const moved = useMovedLines(files ?? NO_FILES);
  useEffect(() => {
    if (files !== null) {
      onRead(candidate.candidate, { files, source, moved, planted });
    }
  }, [candidate.candidate, files, source, moved, planted, onRead]);
  return (
    <Failure
      problem={error instanceof Problem ? error : null}
      onRetry={() => void refetch()}
      note={`Candidate ${candidate.letter}`}
    />
  );
}

interface ColumnProps {
  readonly threadId: string;
  readonly candidate: string;
  readonly letter: string;
  readonly path: string;
  readonly work: Shown | undefined;
  readonly look: DiffLook;
  readonly isPicked: boolean;
  readonly canPick: boolean;
  readonly onPick: (isPicked: boolean) => void;
}

function Column(props: ColumnProps) {
  const { threadId, candidate, letter, path, work, isPicked, canPick, onPick } = props;
  const file = work?.files.find((one) => pathOf(one) === path);
  return (
    <div className={classes.column}>
      <p className={classes.letter}>
        {letter}
        {canPick && (
          <Checkbox
            size="xs"
            label="take this file"
            aria-label={`Take ${path} of ${letter}`}
            checked={isPicked}
            onChange={(event) => onPick(event.currentTarget.checked)}
          />
        )}
      </p>
      {file === undefined || work === undefined ? (
        <p className="dim">{work === undefined ? "Loading…" : <NotChanged path={path} />}</p>
      ) : (
        <Worktree thread={threadId} of={{ task: candidate }}>
          <DiffSourceContext value={work.source}>
            <DiffFile
              file={file}
              name={`${letter}: ${path}`}
              look={props.look}
              isViewed={false}
              isPlanted={work.planted.includes(path)}
              drawn={0}
              cursor={null}
              notes={NO_NOTES}
              moved={work.moved.get(path)}
              range={null}
              command={gitDiff(work.source, path)}
              onViewed={undefined}
              onLines={undefined}
            />
          </DiffSourceContext>
        </Worktree>
      )}
    </div>
  );
}

const NO_NOTES: readonly Note[] = [];

function NotChanged({ path }: Pick<ColumnProps, "path">) {
  return (
    <>
      <Safe text={path} /> is not changed.
    </>
  );
}

interface PutTogetherProps {
  readonly threadId: string;
  readonly taskId: string;
  readonly request: Schemas["ApprovalRequest"];
  readonly ready: readonly Candidate[];
  readonly picks: Readonly<Record<string, string>>;
  readonly wasOf: (candidate: string, path: string) => string | null;
}

/** Return how a file was called that is renamed. */
function renamedFrom(files: readonly FilePatch[], path: string): string | null {
  return files.find((one) => one.kind === "rename" && one.newPath === path)?.oldPath ?? null;
}

/** Make one more candidate of the picked files and the rest of one; it is verified as all are. */
function PutTogether({ threadId, taskId, request, ready, picks, wasOf }: PutTogetherProps) {
  const [base, begin] = useState(ready[0]?.candidate ?? "");
  const command = useCommand(putTogether);
  const refresh = useRefresh(["thread", threadId]);
  const parts = partsOf(base, picks, wasOf);
  const send = async () => {
    if ((await command.send(threadId, taskId, request, base, parts)) !== null) {
      refresh();
    }
  };
  return (
    <Group align="end" gap="sm" mt="sm">
      <NativeSelect
        size="xs"
        label="All other files from"
        value={base}
        data={ready.map(({ candidate, letter }) => ({ value: candidate, label: letter }))}
        onChange={(event) => begin(event.currentTarget.value)}
      />
      <Button
        disabled={parts.length === 0}
        loading={command.state === "sending"}
        onClick={() => void send()}
      >
        Put together and verify
      </Button>
      <Failure problem={command.problem} />
    </Group>
  );
}
