/** Reads the file that a diff is of, from the commit after the change. */

import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import { get, type Schemas } from "@/api/client";
import { type FilePatch, pathOf } from "@/diff/patch";
import { isOfPatch, linesOf } from "@/diff/whole";

/** Where files can be read: a commit of a thread. */
export interface DiffSource {
  readonly threadId: string;
  readonly commit: string;
  /** The commit before the change; empty where it is not known. */
  readonly base: string;
}

/** The source of the diffs below it; null where there is none. */
export const DiffSourceContext = createContext<DiffSource | null>(null);

/** Return the source of a commit's files; null where there is no commit. */
export function useSource(
  threadId: string,
  commit: string | null,
  base: string | null | undefined,
): DiffSource | null {
  return useMemo(
    () => (commit ? { threadId, commit, base: base ?? "" } : null),
    [threadId, commit, base],
  );
}

/** A file at a commit. */
export function contentQuery(source: DiffSource, path: string) {
  return {
    queryKey: ["content", source.threadId, source.commit, path],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    queryFn: (): Promise<Schemas["FileContent"]> =>
      get("/v1/threads/{thread}/contents", {
        path: { thread: source.threadId },
        query: { commit: source.commit, path },
      }),
  };
}

/**
 * Return the lines of a file after its change; undefined while they are read, null where they cannot be.
 *
 * A file that is not as the patch has it, like one with a secret that was taken out, does not count.
 */
export function useWholeFile(
  file: FilePatch,
  isWanted: boolean,
): readonly string[] | null | undefined {
  const source = useContext(DiffSourceContext);
  const own = useMemo(() => ownLines(file), [file]);
  const isAsked = isWanted && own === null && source !== null && canBeRead(file);
  const none = { threadId: "", commit: "", base: "" };
  const query = useQuery({ ...contentQuery(source ?? none, pathOf(file)), enabled: isAsked });
  const content = query.data;
  const lines = useMemo(() => {
    if (content === undefined) {
      return undefined;
    }
    const found = content.kind === "text" ? linesOf(content.text) : null;
    return found !== null && isOfPatch(file, found) ? found : null;
  }, [content, file]);
  if (own !== null) {
    return own;
  }
  return source === null || !canBeRead(file) || query.isError ? null : lines;
}

/** What a patch holds the whole file of: one that is new. */
function ownLines(file: FilePatch): readonly string[] | null {
  const [hunk, ...more] = file.hunks;
  return file.kind === "add" && hunk !== undefined && more.length === 0 && !file.isCut
    ? hunk.changes.map(({ content }) => content)
    : null;
}

function canBeRead(file: FilePatch): boolean {
  return file.kind !== "delete" && file.hunks.length > 0 && !file.isBinary;
}
