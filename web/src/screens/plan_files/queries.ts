/** What the screen of the plan files reads and sends. */

import { useQuery } from "@tanstack/react-query";
import { api, body, post } from "@/api/client";
import type { Fold } from "@/api/events/log";
import type { JournaledEvent } from "@/api/events/topics";

/** The three files, in the order in which they are read. */
export const FILES = ["task_plan", "findings", "progress"] as const;

/** One of them. */
export type Which = (typeof FILES)[number];

/** The text of a plan file, or of one that was archived; read anew when its content changed. */
export function useFileText(thread: string, which: Which, archive: string, ref: string) {
  return useQuery({
    queryKey: ["plan-file", thread, which, archive, ref],
    queryFn: async () =>
      String(
        await body<unknown>(
          archive === ""
            ? api.GET("/v1/threads/{thread}/plan-files/{which}", {
                params: { path: { thread, which } },
                parseAs: "text",
              })
            : api.GET("/v1/threads/{thread}/plan-files/archive/{name}/{which}", {
                params: { path: { thread, name: archive, which } },
                parseAs: "text",
              }),
        ),
      ),
    enabled: ref !== "",
  });
}

/** Where the text of a plan file is, for a link that saves it. */
export function fileAddress(thread: string, which: Which, archive: string): string {
  const files = `/v1/threads/${encodeURIComponent(thread)}/plan-files`;
  return archive === "" ? `${files}/${which}` : `${files}/archive/${archive}/${which}`;
}

/** A text by its reference; what a reference names never changes. */
export function useText(reference: string) {
  return useQuery({
    queryKey: ["text", reference],
    queryFn: async () =>
      String(
        await body<unknown>(
          api.GET("/v1/texts/{reference}", { params: { path: { reference } }, parseAs: "text" }),
        ),
      ),
    enabled: reference !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Turn plan files on or off for a thread. */
export function setPlanFiles(commandId: string, thread: string, isOn: boolean) {
  return post(
    "/v1/threads/{thread}/plan-files",
    { thread },
    { command_id: commandId, is_on: isOn },
  );
}

/** A change of a plan file. */
export interface Change {
  readonly position: number;
  readonly at: string;
  readonly which: string;
  readonly op: string;
  readonly section: string;
  readonly ref: string;
  readonly before: string;
  readonly session: string;
}

/** Folds a thread's events to the changes of its plan files, each with what stood there before. */
export const changesFold: Fold<readonly Change[]> = {
  empty: [],
  add: (state, events) => {
    const fresh = [...state];
    for (const journaled of events) {
      const change = changeOf(journaled, fresh);
      if (change !== null) {
        fresh.push(change);
      }
    }
    return fresh.length === state.length ? state : fresh;
  },
};

function changeOf({ position, event }: JournaledEvent, known: readonly Change[]): Change | null {
  const change = event.body;
  if (change.kind !== "plan_file_changed") {
    return null;
  }
  return {
    position,
    at: event.at,
    which: change.which,
    op: change.op,
    section: change.section ?? "",
    ref: change.content_ref ?? "",
    before: known.findLast((earlier) => earlier.which === change.which)?.ref ?? "",
    session: change.session_id.split("/").slice(1).join("/"),
  };
}
