/** A task's patch, fetched once for each state of its work and read without holding the page up. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "@/api/client";
import { type FilePatch, PatchReader } from "@/review/patch";

const LINES = 2000;

/** The patch of a task, against its base or since the last review; null until it is read. */
export function usePatch(
  threadId: string,
  taskId: string,
  commit: string | null,
  since: "base" | "review",
) {
  const query = useQuery({
    queryKey: ["patch", threadId, taskId, commit, since],
    enabled: commit !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => fetchPatch(threadId, taskId, since),
  });
  return { files: useFiles(query.data), error: query.error, refetch: query.refetch };
}

async function fetchPatch(thread: string, task: string, since: "base" | "review") {
  const { data } = await api.GET("/v1/threads/{thread}/tasks/{task}/diff", {
    params: { path: { thread, task }, query: { since } },
    parseAs: "text",
  });
  return { text: data ?? "" }; // a patch of nothing has no body at all
}

/** Read a patch in parts, giving way to everything else in between. */
function useFiles(patch: { readonly text: string } | undefined): readonly FilePatch[] | null {
  const [read, setRead] = useState<{ of: object; files: readonly FilePatch[] } | null>(null);
  useEffect(() => {
    if (patch === undefined) {
      return;
    }
    const reader = new PatchReader(patch.text);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const go = () => {
      if (reader.read(LINES)) {
        setRead({ of: patch, files: reader.files });
      } else {
        timer = setTimeout(go);
      }
    };
    go();
    return () => clearTimeout(timer);
  }, [patch]);
  return read !== null && read.of === patch ? read.files : null;
}
