/** What the tabs of a browser want of the one connection, and from where; pure. */

/** Topics with the position that each was read up to. */
export type Subscriptions = Readonly<Record<string, number>>;

/** Where a connection begins, and for which topics. */
export interface ConnectionPlan {
  readonly topics: readonly string[];
  readonly after: number;
}

/** Join what all tabs want: every topic once, from where the one that is furthest behind stands. */
export function mergeSubscriptions(tabs: Iterable<Subscriptions>): Subscriptions {
  const all: Record<string, number> = {};
  for (const wanted of tabs) {
    for (const [topic, position] of Object.entries(wanted)) {
      all[topic] = Math.min(all[topic] ?? Number.MAX_SAFE_INTEGER, position);
    }
  }
  return all;
}

/**
 * Return the connection that is needed, or null if the present one does.
 *
 * `fresh` is what the tab that spoke last wants: where it stands before the `latest` event that a
 * present topic has brought, that went by before it listened, so the connection begins again there.
 * A topic that nobody wants any more stays until something else changes: dropping it costs more.
 */
export function planConnection(
  subscriptions: Subscriptions,
  present: ReadonlySet<string>,
  cursor: number,
  fresh: Subscriptions = {},
  latest: ReadonlyMap<string, number> = new Map(),
): ConnectionPlan | null {
  const missing = Object.entries(subscriptions).filter(([topic]) => !present.has(topic));
  const missed = Object.entries(fresh).filter(
    ([topic, position]) => present.has(topic) && position < (latest.get(topic) ?? 0),
  );
  if (missing.length === 0 && missed.length === 0) {
    return null;
  }
  const after = Math.min(...[...missing, ...missed].map(([, position]) => position));
  return {
    topics: Object.keys(subscriptions).sort(),
    after: present.size > 0 ? Math.min(cursor, after) : after,
  };
}

/** Return the pause before the next try, in ms: 0.5 s, doubled to 15 s. */
export function pauseBefore(tries: number): number {
  return Math.min(15_000, 500 * 2 ** Math.max(0, tries - 1));
}
