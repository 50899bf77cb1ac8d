/** What could not be read stays said while it is read again, until it is there. */

import { useRef } from "react";

/** What is told of a read. */
interface Read {
  readonly error: Error | null;
  readonly errorUpdatedAt: number;
  readonly dataUpdatedAt: number;
}

/**
 * Return why a read failed, also while it is tried once more.
 *
 * A query that has no data forgets its error when it is fetched again, by itself every few seconds
 * too: what is said and pressed would come and go, and what was shown before stand in between.
 */
export function useSteadyError({ error, errorUpdatedAt, dataUpdatedAt }: Read): Error | null {
  const last = useRef(error);
  last.current = error ?? last.current;
  return errorUpdatedAt > dataUpdatedAt ? last.current : error;
}
