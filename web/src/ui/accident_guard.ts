/** Keeps a decision from being taken by a click or key that was meant for something else. */

import { useEffect, useRef } from "react";
import { isLastPressDeliberate } from "@/keyboard/presses";

const ARM_MS = 500;

/**
 * Return how to ask whether a decision may be taken now.
 *
 * For 500 ms after what is decided on appeared or changed, it may not; nor by a key that is one of a
 * word, held down or doubled: typing cannot approve.
 */
export function useAccidentGuard(shown: string): () => boolean {
  const since = useRef(Number.POSITIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is what arms it again
  useEffect(() => {
    since.current = performance.now();
  }, [shown]);
  return () => performance.now() - since.current >= ARM_MS && isLastPressDeliberate();
}
