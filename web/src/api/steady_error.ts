/** What could not be read stays said while it is read again, until it is there. */

import { useRef } from "react";

/** What is told of a read. */
interface Read {
  readonly error: Error | null;
  readonly errorUpdatedAt: number;
  readonly dataUpdatedAt: number;
  readonly isPlaceholderData: boolean;
}

/**
 * Return why a read failed, also while it is tried once more.
 *
 * A query that has no data forgets its error when it is fetched again, by itself every few seconds
 * too: what is said and pressed would come and go, and what was shown before stand in between. So
 * does one that goes on to a newer version of what it reads, and shows the version before meanwhile.
 */
export function useSteadyError(read: Read): Error | null {
  const last = useRef(read.error);
  const isUnread = read.errorUpdatedAt > read.dataUpdatedAt || read.isPlaceholderData;
  if (read.error !== null || !isUnread) {
    last.current = read.error;
  }
  return last.current;
}
