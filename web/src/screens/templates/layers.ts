/** Goals of a workflow in layers: each stands after all that it waits for; pure. */

/** A goal with what it waits for. */
export interface Goal {
  readonly id: string;
  readonly after?: readonly string[];
  readonly base?: string | null;
}

/** Return what a goal waits for, the one at whose branch it begins included. */
export function waitsFor(goal: Goal): readonly string[] {
  return [...new Set([...(goal.after ?? []), ...(goal.base ? [goal.base] : [])])];
}

/** Lay goals into layers; those in a circle, which the engine refuses, come last. */
export function layersOf<G extends Goal>(goals: readonly G[]): readonly (readonly G[])[] {
  const layers: G[][] = [];
  const done = new Set<string>();
  let rest = [...goals];
  while (rest.length > 0) {
    const free = rest.filter((goal) => waitsFor(goal).every((id) => done.has(id)));
    const layer = free.length > 0 ? free : rest;
    layers.push(layer);
    for (const goal of layer) {
      done.add(goal.id);
    }
    rest = rest.filter((goal) => !layer.includes(goal));
  }
  return layers;
}
