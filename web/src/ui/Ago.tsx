/** Times as people say them, from one clock for the whole page. */

import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import { formatDuration, formatMoment } from "@/format";

const TICK_MS = 1000;

let now = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function watch(notify: () => void): () => void {
  watchers.add(notify);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of watchers) {
      each();
    }
  }, TICK_MS);
  return () => {
    watchers.delete(notify);
    if (watchers.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

const Past = createContext<number | null>(null);

/** The time in ms, renewed each second; within a moment of the past, that moment. */
export function useNow(): number {
  const past = useContext(Past);
  const present = useSyncExternalStore(watch, () => now);
  return past ?? present;
}

interface AsOfProps {
  /** The moment that is shown; null is now. */
  readonly at: string | null;
  readonly children: ReactNode;
}

/** Stop the clock for what is shown of the past: its lengths are those of that moment. */
export function AsOf({ at, children }: AsOfProps) {
  return <Past value={at === null ? null : Date.parse(at)}>{children}</Past>;
}

interface AgoProps {
  readonly at: string | null;
  readonly suffix?: string;
  /** Its largest unit alone. */
  readonly isShort?: boolean;
}

/** How long ago something was, or how long it takes already; the exact time as its title. */
export function Ago({ at, suffix = "", isShort = false }: AgoProps) {
  const present = useNow();
  if (at === null) {
    return null;
  }
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {shortened(formatDuration(present - Date.parse(at)), isShort)}
      {suffix}
    </time>
  );
}

interface ElapsedProps {
  readonly from: string;
  readonly to: string | null;
  /** Its largest unit alone. */
  readonly isShort?: boolean;
}

/** A length of time between two moments; one without an end is still running. */
export function Elapsed({ from, to, isShort = false }: ElapsedProps) {
  const present = useNow();
  const length = formatDuration((to === null ? present : Date.parse(to)) - Date.parse(from));
  return <span>{shortened(length, isShort)}</span>;
}

function shortened(length: string, isShort: boolean): string {
  return isShort ? (length.split(" ")[0] ?? "") : length;
}
