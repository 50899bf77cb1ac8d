/** A task's patch, fetched once for each state of its work and read without holding the page up. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "@/api/client";
import { useSteadyError } from "@/api/steady_error";
import { type FilePatch, PatchReader } from "@/diff/patch";

const LINES = 2000;

/** The patch of a task, against its base or since the last review; null until it is read. */
export function usePatch(
  threadId: string,
  taskId: string,
  commit: string | null,
  since: "base" | "review",
  reviewed: string | null = null,
) {
  const query = useQuery({
    queryKey: ["patch", threadId, taskId, commit, since, reviewed],
    enabled: commit !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => fetchPatch(threadId, taskId, since, commit ?? ""),
  });
  const error = useSteadyError(query);
  return { files: useFiles(query.data), error, refetch: query.refetch };
}

/** What changed between two commits of a thread; null until it is read. */
export function usePatchBetween(threadId: string, since: string | null, commit: string | null) {
  const query = useQuery({
    queryKey: ["patch-between", threadId, since, commit],
    enabled: since !== null && commit !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { data } = await api.GET("/v1/threads/{thread}/changes/between", {
        params: { path: { thread: threadId }, query: { since: since ?? "", commit: commit ?? "" } },
        parseAs: "text",
      });
      return { text: data ?? "" };
    },
  });
  const error = useSteadyError(query);
  return { files: useFiles(query.data), error, refetch: query.refetch };
}

/** A patch that the journal keeps under a reference; an empty one is that of nothing. */
export function useStoredPatch(reference: string | null) {
  const query = useQuery({
    queryKey: ["text", reference],
    enabled: reference !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => fetchText(reference ?? ""),
  });
  const error = useSteadyError(query);
  return { files: useFiles(query.data), error, refetch: query.refetch };
}

async function fetchText(reference: string) {
  if (reference === "") {
    return { text: "" };
  }
  const { data } = await api.GET("/v1/texts/{reference}", {
    params: { path: { reference } },
    parseAs: "text",
  });
  return { text: data ?? "" };
}

/** Read the patch of exactly this commit: of another one the engine refuses it. */
async function fetchPatch(thread: string, task: string, since: "base" | "review", commit: string) {
  const { data } = await api.GET("/v1/threads/{thread}/tasks/{task}/diff", {
    params: { path: { thread, task }, query: { since, commit } },
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
