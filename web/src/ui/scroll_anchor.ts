/** Keeps the open card of a list in its place when another answers it, until the person continues. */

import { useCallback, useState } from "react";
import type { CommandState } from "@/api/commands";

/** A card that is not asked for any more, and what stood before it. */
interface Gone<T> {
  readonly item: T;
  readonly before: readonly string[];
}

/** A list as it is shown. */
export interface ScrollAnchor<T> {
  /** All that waits, with the open one among them although nobody asks for it now. */
  readonly shown: readonly T[];
  /** That one, while it stays. */
  readonly gone: T | null;
  /** What of it this person's own answer is: not sent, on its way, or refused. */
  readonly own: CommandState;
  /** Whom the open card tells of the answer that is given in it. */
  readonly note: (key: string, state: CommandState) => void;
}

/**
 * Return what is shown of `items` while the one named `open` is before a person.
 *
 * One's own recorded answer lets the next take its place. Where another was first nothing may: the
 * finger is on its way already.
 */
export function useScrollAnchor<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  open: string | null,
): ScrollAnchor<T> {
  const [known, setKnown] = useState(items);
  const [saved, setSaved] = useState<Gone<T> | null>(null);
  const [own, setOwn] = useState<{ key: string; state: CommandState } | null>(null);
  const note = useCallback((key: string, state: CommandState) => setOwn({ key, state }), []);
  const keys = items.map(keyOf);
  const knownKeys = known.map(keyOf);
  let gone = saved;
  if (keys.join() !== knownKeys.join()) {
    const index = open === null ? -1 : knownKeys.indexOf(open);
    const lost = known[index];
    if (lost !== undefined && open !== null && !keys.includes(open)) {
      gone = { item: lost, before: knownKeys.slice(0, index) };
      setSaved(gone);
    }
    if (own !== null && keys.includes(own.key) && !knownKeys.includes(own.key)) {
      setOwn(null); // it is asked anew
    }
    setKnown(items);
  }
  const state = own !== null && own.key === open ? own.state : "idle";
  const isGone = gone !== null && keyOf(gone.item) === open && !keys.includes(open);
  if (gone === null || !isGone || state === "recorded") {
    return { shown: items, gone: null, own: state, note };
  }
  const { item, before } = gone;
  const place = keys.filter((key) => before.includes(key)).length;
  const shown = [...items.slice(0, place), item, ...items.slice(place)];
  return { shown, gone: item, own: state, note };
}
