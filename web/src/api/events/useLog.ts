/** A log for the time that a component shows it. */

import { useEffect, useMemo, useSyncExternalStore } from "react";
import { type Fold, Log, type LogView } from "@/api/events/log";

/** Read a stream with a fold while a component is there; with `at` as it was at that position. */
export function useLog<S>(
  top: string,
  stream: string | null,
  fold: Fold<S>,
  at: number | null = null,
): LogView<S> {
  const log = useMemo(() => new Log(top, stream, fold, at), [top, stream, fold, at]);
  useEffect(() => {
    void log.start();
    return () => log.stop();
  }, [log]);
  return useSyncExternalStore(log.watch, log.view);
}
