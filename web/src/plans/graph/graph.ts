/** What follows from the dependencies of tasks alone; pure. */

/** A task with what it waits for. */
export interface Node {
  readonly id: string;
  readonly depends_on: readonly string[];
}

/** Return tasks in groups that can run side by side, each group after the one before. */
export function levelsOf<T extends Node>(tasks: readonly T[]): readonly (readonly T[])[] {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const depths = new Map<string, number>();
  const depthOf = (task: T, path: ReadonlySet<string>): number => {
    const found = depths.get(task.id);
    if (found !== undefined) {
      return found;
    }
    const below = new Set(path).add(task.id);
    const above = task.depends_on.flatMap((id) => {
      const other = known.get(id);
      return other === undefined || below.has(id) ? [] : [depthOf(other, below)];
    });
    const depth = above.length === 0 ? 0 : Math.max(...above) + 1;
    depths.set(task.id, depth);
    return depth;
  };
  const levels: T[][] = [];
  for (const task of tasks) {
    const depth = depthOf(task, new Set());
    levels[depth] ??= [];
    levels[depth].push(task);
  }
  return levels;
}

/** Return all tasks before (ancestors) and after (descendants) one, without itself. */
export function kinOf(
  tasks: readonly Node[],
  id: string,
): { readonly before: ReadonlySet<string>; readonly after: ReadonlySet<string> } {
  const needs = new Map(tasks.map((task) => [task.id, task.depends_on]));
  const feeds = new Map<string, string[]>();
  for (const task of tasks) {
    for (const other of task.depends_on) {
      feeds.set(other, [...(feeds.get(other) ?? []), task.id]);
    }
  }
  return { before: reached(id, needs), after: reached(id, feeds) };
}

function reached(from: string, next: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...(next.get(from) ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id !== from && !found.has(id)) {
      found.add(id);
      open.push(...(next.get(id) ?? []));
    }
  }
  return found;
}
