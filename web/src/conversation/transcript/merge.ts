/** Two streams read as one conversation; pure. */

import type { Item, Transcript } from "../projection/items.ts";

/** A transcript with what is known of its length: older and newer events may not be loaded. */
export interface Read {
  readonly state: Transcript;
  readonly hasOlder: boolean;
  /** The position up to which events are loaded, where newer ones are not. */
  readonly until: number | null;
}

/**
 * Merge the conversation of a session with what happened beside it, by position.
 *
 * Of `beside` only what is about this session, or about none, is taken; where one of the two has
 * events that are not loaded, nothing beyond its oldest or newest is shown: no gap is drawn over.
 */
export function merged(talk: Read, beside: Read | null, session: string | null): readonly Item[] {
  if (beside === null) {
    return talk.state.items;
  }
  const from = Math.max(horizon(talk), horizon(beside));
  const to = Math.min(talk.until ?? END, beside.until ?? END);
  const isWithin = ({ position }: Item) => position >= from && position <= to;
  const ours = beside.state.items.filter(
    (item) => isWithin(item) && (item.session === null || item.session === session),
  );
  const messages = new Set(
    ours.flatMap((item) => (item.kind === "message" ? [item.text.trim()] : [])),
  );
  const own = talk.state.items.filter(
    (item) => isWithin(item) && !(item.kind === "prompt" && messages.has(item.text.trim())),
  );
  return zipped(own, ours);
}

/** Merge a conversation with several streams beside it. */
export function mergedAll(
  talk: Read,
  beside: readonly Read[],
  session: string | null,
): readonly Item[] {
  const whole = beside.reduce<Read>((one, other) => {
    const items = merged(one, other, session);
    const hasOlder = one.hasOlder || other.hasOlder;
    const ends = [one.until, other.until].filter((end) => end !== null);
    const until = ends.length > 0 ? Math.min(...ends) : null;
    return { state: { ...one.state, items }, hasOlder, until };
  }, talk);
  return whole.state.items;
}

const END = Number.POSITIVE_INFINITY;

function horizon(read: Read): number {
  return read.hasOlder ? (read.state.items[0]?.position ?? 0) : 0;
}

function zipped(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  if (other.length === 0) {
    return one;
  }
  const all: Item[] = [];
  let next = 0;
  for (const item of one) {
    for (
      let waiting = other[next];
      waiting && waiting.position < item.position;
      waiting = other[next]
    ) {
      all.push(waiting);
      next += 1;
    }
    all.push(item);
  }
  return [...all, ...other.slice(next)];
}
