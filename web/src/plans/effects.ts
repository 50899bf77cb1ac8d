/** What an amendment does to the tasks that are there, in words; pure. */

import type { AmendmentView, TaskView } from "@/plans/models";
import { plural } from "../format.ts";

/** What happens at an approval; `locked` are done and never change. */
export interface Effect {
  readonly words: readonly string[];
  readonly locked: readonly string[];
}

/** Return what approving an amendment does to running and finished tasks. */
export function effectOf(amendment: AmendmentView, tasks: readonly TaskView[]): Effect {
  const aborted = new Set(
    amendment.amendment.changes.flatMap((change) =>
      change.change === "abort" ? [change.task_id] : [],
    ),
  );
  const atWork = tasks.filter(({ status }) => status === "running" || status === "planning");
  const stopped = atWork
    .filter(({ task_id }) => aborted.has(task_id))
    .map(({ task_id }) => task_id);
  const going = atWork.length - stopped.length;
  const asked = amendment.amendment.decisions.length;
  return {
    words: [
      stopped.length > 0 ? `aborts ${inProgress(stopped.length)} (${stopped.join(", ")})` : "",
      going > 0 ? `${inProgress(going)} ${going === 1 ? "continues" : "continue"}` : "",
      asked > 0 ? `asks you ${plural(asked, "question")}` : "",
      amendment.status === "open" ? "all changes are applied together" : "",
    ].filter((word) => word !== ""),
    locked: tasks.filter(({ status }) => status === "completed").map(({ task_id }) => task_id),
  };
}

/** Tasks that have begun and are not over, also those that wait for somebody: not all of them run. */
function inProgress(count: number): string {
  return `${plural(count, "task")} in progress`;
}
