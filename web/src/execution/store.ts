/** The tasks of a graph outside React, so that a change of one draws one node again. */

import { useLayoutEffect, useState, useSyncExternalStore } from "react";
import type { TaskView } from "@/plans/models";

/** Tasks by id, each watched for itself. */
export class TaskStore {
  #tasks: ReadonlyMap<string, TaskView>;
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(tasks: readonly TaskView[]) {
    this.#tasks = new Map(tasks.map((task) => [task.task_id, task]));
  }

  get(id: string): TaskView | undefined {
    return this.#tasks.get(id);
  }

  /** Take new tasks; only those that look at a changed one are told. */
  set(tasks: readonly TaskView[]): void {
    const before = this.#tasks;
    this.#tasks = new Map(tasks.map((task) => [task.task_id, task]));
    for (const [id, watchers] of this.#watchers) {
      if (before.get(id) !== this.#tasks.get(id)) {
        for (const notify of watchers) {
          notify();
        }
      }
    }
  }

  watch(id: string, report: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(report));
    return () => watchers.delete(report);
  }
}

/** Return a store that holds these tasks. */
export function useTaskStore(tasks: readonly TaskView[]): TaskStore {
  const [store] = useState(() => new TaskStore(tasks));
  useLayoutEffect(() => store.set(tasks), [store, tasks]);
  return store;
}

/** Read one task of a store. */
export function useTaskOf(store: TaskStore, id: string): TaskView | undefined {
  return useSyncExternalStore(
    (tell) => store.watch(id, tell),
    () => store.get(id),
  );
}
