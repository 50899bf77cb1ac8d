/** Has the page's worker colour a file's change and compare its words, once the reader is near. */

import { useEffect, useMemo, useState } from "react";
import {
  coloursOf,
  editsOf,
  isTooLarge,
  type Marked,
  replacedRuns,
  sheetsOf,
  textsOf,
  UNMARKED,
} from "@/diff/marks";
import { type FilePatch, type Hunk, pathOf } from "@/diff/patch";
import { ask } from "@/ui/background/asking";

/** What is known of the lines of a file. */
export interface Marks {
  readonly colours: Marked;
  readonly edits: Marked;
  /** It stays plain. */
  readonly isTooLarge: boolean;
}

/**
 * Return the marks of a file, which come later.
 *
 * `hunks` are those that are shown. `whole` is undefined until the file was read, and null where it could not be: its hunks are coloured alone then.
 */
export function useMarks(
  file: FilePatch,
  hunks: readonly Hunk[],
  whole: readonly string[] | null | undefined,
  isWanted: boolean,
): Marks {
  const sheets = useMemo(
    () => (isWanted && whole !== undefined ? sheetsOf(file, whole) : null),
    [file, whole, isWanted],
  );
  const runs = useMemo(() => (isWanted ? replacedRuns(hunks) : null), [hunks, isWanted]);
  const isPlain = sheets !== null && isTooLarge(file, sheets);
  const colours = useAnswer(isPlain ? null : sheets, async (of, signal) => {
    const texts = of.map(({ text }) => text);
    const found = await ask("highlight", [pathOf(file), texts], signal);
    return found === null ? null : coloursOf(of, found);
  });
  const edits = useAnswer(runs, async (of, signal) => {
    const found = of.length === 0 ? [] : await ask("wordEdits", [textsOf(of)], signal);
    return found === null ? null : editsOf(of, found);
  });
  return useMemo(
    () => ({ colours: colours ?? UNMARKED, edits: edits ?? UNMARKED, isTooLarge: isPlain }),
    [colours, edits, isPlain],
  );
}

/** Ask about something, once for each; the last answer stays until the next one is there. */
function useAnswer<T extends object, R>(
  of: T | null,
  find: (of: T, signal: AbortSignal) => Promise<R | null>,
): R | null {
  const [found, setFound] = useState<{ readonly of: T; readonly answer: R | null } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked is `of` alone
  useEffect(() => {
    if (of === null || found?.of === of) {
      return;
    }
    const leaving = new AbortController();
    void find(of, leaving.signal).then((answer) => {
      if (!leaving.signal.aborted) {
        setFound({ of, answer });
      }
    });
    return () => leaving.abort();
  }, [of]);
  return found?.of === of ? found.answer : null;
}
