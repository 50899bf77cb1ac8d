/** The changes of two or three candidates, one file under the other, side by side. */

import { Button, Checkbox, Chip, Group, NativeSelect } from "@mantine/core";
import { useCallback, useState } from "react";
import { Problem, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { DiffFile } from "@/diff/DiffFile";
import { type FilePatch, pathOf } from "@/diff/patch";
import { putTogether } from "@/tasks/contest/commands";
import classes from "@/tasks/contest/contest.module.css";
import { filesOf, partsOf } from "@/tasks/contest/rows";
import { usePatch } from "@/tasks/review/usePatch";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

type Candidate = Schemas["CandidateView"];

const AT_FIRST = 2;
const LOOK = { isSplit: false, isWhitespaceOff: false } as const;
const NOTHING = () => {};

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
  const [read, setRead] = useState<Readonly<Record<string, readonly FilePatch[]>>>({});
  const note = useCallback(
    (name: string, files: readonly FilePatch[]) => setRead((all) => ({ ...all, [name]: files })),
    [],
  );
  if (done.length === 0) {
    return null;
  }
  const shown = done.filter(({ candidate }) => chosen.includes(candidate));
  const paths = filesOf(shown.map(({ candidate }) => (read[candidate] ?? []).map(pathOf)));
  return (
    <section aria-label="Changes side by side">
      <Chip.Group multiple value={[...chosen]} onChange={pick}>
        <Group gap={6} mb={8}>
          {done.map(({ candidate, letter, agent }) => (
            <Chip key={candidate} value={candidate} size="xs">
              {letter} · <Safe text={agent} />
            </Chip>
          ))}
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
              letter={letter}
              path={path}
              files={read[candidate] ?? []}
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
        <PutTogether
          threadId={threadId}
          taskId={contest.task_id}
          request={contest.request}
          ready={done.filter(({ standing }) => standing === "ready")}
          picks={picks}
        />
      )}
    </section>
  );
}

interface ReaderProps {
  readonly threadId: string;
  readonly candidate: Candidate;
  readonly onRead: (name: string, files: readonly FilePatch[]) => void;
}

/** Read the patch of one candidate. */
function Reader({ threadId, candidate, onRead }: ReaderProps) {
  const { files, error, refetch } = usePatch(
    threadId,
    candidate.candidate,
    candidate.commit,
    "base",
  );
  const [told, tell] = useState<readonly FilePatch[] | null>(null);
  if (files !== null && files !== told) {
    tell(files);
    queueMicrotask(() => onRead(candidate.candidate, files));
  }
  return (
    <Failure
      problem={error instanceof Problem ? error : null}
      onRetry={() => void refetch()}
      note={`Candidate ${candidate.letter}`}
    />
  );
}

interface ColumnProps {
  readonly letter: string;
  readonly path: string;
  readonly files: readonly FilePatch[];
  readonly isPicked: boolean;
  readonly canPick: boolean;
  readonly onPick: (isPicked: boolean) => void;
}

function Column({ letter, path, files, isPicked, canPick, onPick }: ColumnProps) {
  const file = files.find((one) => pathOf(one) === path);
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
      {file === undefined ? (
        <p className="dim">
          <Safe text={path} /> is not changed.
        </p>
      ) : (
        <DiffFile
          file={file}
          look={LOOK}
          isViewed={false}
          isPlanted={false}
          drawn={0}
          cursor={null}
          notes={[]}
          moved={undefined}
          range={null}
          command={`git show -- ${path}`}
          onViewed={NOTHING}
          onLines={undefined}
        />
      )}
    </div>
  );
}

interface PutTogetherProps {
  readonly threadId: string;
  readonly taskId: string;
  readonly request: Schemas["ApprovalRequest"];
  readonly ready: readonly Candidate[];
  readonly picks: Readonly<Record<string, string>>;
}

/** Make one more candidate of the picked files and the rest of one; it is verified as all are. */
function PutTogether({ threadId, taskId, request, ready, picks }: PutTogetherProps) {
  const [base, begin] = useState(ready[0]?.candidate ?? "");
  const command = useCommand(putTogether);
  const parts = partsOf(base, picks);
  return (
    <Group align="end" gap="sm" mt="sm">
      <NativeSelect
        size="xs"
        label="All other files of"
        value={base}
        data={ready.map(({ candidate, letter }) => ({ value: candidate, label: letter }))}
        onChange={(event) => begin(event.currentTarget.value)}
      />
      <Button
        disabled={parts.length === 0}
        loading={command.state === "sending"}
        onClick={() => void command.send(threadId, taskId, request, base, parts)}
      >
        Put together and verify
      </Button>
      <Failure problem={command.problem} />
    </Group>
  );
}
