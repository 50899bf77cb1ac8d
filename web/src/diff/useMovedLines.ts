/** Has the page's worker find what moved within a change. */

import { useEffect, useState } from "react";
import { changedLines, type MovedLines, movedLines } from "@/diff/moved";
import type { FilePatch } from "@/diff/patch";
import { ask } from "@/ui/background/asking";

const NONE: ReadonlyMap<string, MovedLines> = new Map();

/** Return the moved lines by the path of their file; none until they are found. */
export function useMovedLines(files: readonly FilePatch[]): ReadonlyMap<string, MovedLines> {
  const [found, setFound] = useState({ files, lines: NONE });
  useEffect(() => {
    const leaving = new AbortController();
    const [removed, added] = changedLines(files);
    if (removed.length > 0 && added.length > 0) {
      void ask("findMoves", [removed, added], leaving.signal).then((moves) => {
        if (moves !== null && moves.length > 0 && !leaving.signal.aborted) {
          setFound({ files, lines: movedLines(files, moves) });
        }
      });
    }
    return () => leaving.abort();
  }, [files]);
  return found.files === files ? found.lines : NONE;
}
