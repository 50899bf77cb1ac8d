/** The changed files of a review: all lines in the page while they are few, those near when many. */

import { startTransition, useCallback, useEffect, useMemo, useState } from "react";
import type { DiffLook } from "@/diff/DiffBody";
import { DiffFile } from "@/diff/DiffFile";
import classes from "@/diff/diff.module.css";
import { type LineRange, WHOLE_LINES } from "@/diff/lines";
import { type FilePatch, type Hunk, pathOf } from "@/diff/patch";
import { useMovedLines } from "@/diff/useMovedLines";
import type { Cursor } from "@/tasks/review/jumps";
import type { Notes } from "@/tasks/review/useNotes";
import type { Viewed } from "@/tasks/review/viewed_files";
import { Safe } from "@/ui/Safe";

const STEP = 200;
const PAUSE_MS = 20;

interface Props {
  readonly files: readonly FilePatch[];
  readonly look: DiffLook;
  readonly viewed: Viewed;
  readonly planted: readonly string[];
  readonly notes: Pick<Notes, "notesOf" | "paths" | "range"> & { readonly begin?: Notes["begin"] };
  readonly cursor: Cursor | null;
  readonly onCursor: (cursor: Cursor) => void;
  /** Names the two states that are compared, for git. */
  readonly range: string;
}

/** Show the files; where all lines are to be in the page, they come a few at a time. */
export function Changes(props: Props) {
  const { files, look, viewed, planted, notes, cursor, onCursor, range } = props;
  const before = useMemo(() => linesBefore(files), [files]);
  const all = before.at(-1) ?? 0;
  const drawn = useGrowing(files, all <= WHOLE_LINES ? all : 0);
  const moved = useMovedLines(files);
  const { begin } = notes;
  const onLines = useCallback(
    (file: FilePatch, range: LineRange, key: string, hunks: readonly Hunk[]) => {
      onCursor({ path: pathOf(file), key });
      begin?.(pathOf(file), range, hunks);
    },
    [begin, onCursor],
  );
  return files.map((file, index) => {
    const path = pathOf(file);
    return (
      <DiffFile
        key={`${path} ${file.hash}`}
        file={file}
        look={look}
        isViewed={viewed.has(file)}
        isPlanted={planted.includes(path)}
        drawn={Math.min(file.lines, Math.max(0, drawn - (before[index] ?? 0)))}
        cursor={cursor?.path === path ? cursor.key : null}
        notes={notes.notesOf(path)}
        moved={moved.get(path)}
        command={`git diff ${range} -- '${path.replaceAll("'", "'\\''")}'`}
        onViewed={viewed.set}
        range={notes.range?.path === path ? notes.range : null}
        onLines={begin && onLines}
      />
    );
  });
}

/** What is said of files that are not among those shown. */
export function Strays({ files, notes }: Pick<Props, "files" | "notes">) {
  const shown = new Set(files.map(pathOf));
  const strays = notes.paths.filter((path) => path !== "" && !shown.has(path));
  return strays.map((path) => (
    <section key={path} className={classes.file} aria-label={`Comments on ${path}`}>
      <h2 className={classes.stray}>
        <Safe text={path} /> <span className="dim">not changed in this view</span>
      </h2>
      {notes.notesOf(path).map(({ id, element }) => (
        <div key={id} className={classes.lost}>
          {element}
        </div>
      ))}
    </section>
  ));
}

/** How many lines are in front of each file, and behind the last one all of them. */
function linesBefore(files: readonly FilePatch[]): readonly number[] {
  const sums = [0];
  for (const file of files) {
    sums.push((sums.at(-1) ?? 0) + file.lines);
  }
  return sums;
}

/** Count up how many lines are drawn, with time for everything else in between. */
function useGrowing(files: readonly FilePatch[], wanted: number): number {
  const [drawn, setDrawn] = useState({ files, count: 0 });
  const count = drawn.files === files ? drawn.count : 0;
  useEffect(() => {
    if (count >= wanted) {
      return;
    }
    const more = () => startTransition(() => setDrawn({ files, count: count + STEP }));
    const timer = setTimeout(more, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [files, count, wanted]);
  return count;
}
