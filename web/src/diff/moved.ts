/** Which lines of a change moved elsewhere, by their keys; pure. */

import type { ChangedLine, Move } from "../ui/background/moves.ts";
import { runsOf } from "./lines.ts";
import { type FilePatch, pathOf } from "./patch.ts";

/** Where a line went, or came from; only the first line of a block says it. */
export interface MovedLine {
  readonly words: string;
}

/** The moved lines of a file, by the keys of lines. */
export type MovedLines = ReadonlyMap<string, MovedLine>;

/** Return the changed lines of files, as the worker looks for moves in them. */
export function changedLines(
  files: readonly FilePatch[],
): readonly [readonly ChangedLine[], readonly ChangedLine[]] {
  const removed: ChangedLine[] = [];
  const added: ChangedLine[] = [];
  let run = 0;
  for (const file of files) {
    for (const { changes } of file.hunks) {
      for (const one of runsOf(changes)) {
        run++;
        for (const { lineNumber: line, content: text } of one.removed) {
          removed.push({ path: file.oldPath, line, run, text });
        }
        for (const { lineNumber: line, content: text } of one.added) {
          added.push({ path: file.newPath, line, run, text });
        }
      }
    }
  }
  return [removed, added];
}

/** Return what moved, by the path of its file. */
export function movedLines(
  files: readonly FilePatch[],
  moves: readonly Move[],
): ReadonlyMap<string, MovedLines> {
  const byPath = new Map<string, Map<string, MovedLine>>();
  const put = (path: string, key: string, words: string) => {
    const lines = byPath.get(path) ?? new Map<string, MovedLine>();
    byPath.set(path, lines.set(key, { words }));
  };
  const shownAs = new Map(files.map((file) => [file.oldPath, pathOf(file)]));
  for (const { fromPath, fromLine, toPath, toLine, count } of moves) {
    const isSame = fromPath === toPath;
    for (let index = 0; index < count; index++) {
      const to = isSame ? `line ${toLine}` : `${toPath}:${toLine}`;
      const from = isSame ? `line ${fromLine}` : `${fromPath}:${fromLine}`;
      const old = shownAs.get(fromPath) ?? fromPath;
      put(old, `D${fromLine + index}`, index === 0 ? `moved to ${to}` : "");
      put(toPath, `I${toLine + index}`, index === 0 ? `moved from ${from}` : "");
    }
  }
  return byPath;
}
