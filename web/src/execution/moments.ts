/** The moments of a thread that a person goes through, checkpoints among them; pure. */

import type { Schemas } from "@/api/client";

/** An event to go back to; of a task or session, or of the thread itself. */
export interface Stop {
  readonly position: number;
  readonly at: string;
  readonly stream: string;
  readonly kind: string;
  readonly tone: Schemas["Tone"];
  readonly label: string;
  /** Files can be taken from here. */
  readonly isCheckpoint: boolean;
}

/** Return moments and checkpoints as one line, in the order of the journal. */
export function stopsOf(
  moments: readonly Schemas["Moment"][],
  checkpoints: readonly Schemas["Checkpoint"][],
): readonly Stop[] {
  const found = new Map<number, Stop>();
  for (const moment of moments) {
    found.set(moment.position, { ...moment, isCheckpoint: false });
  }
  for (const { position, at, stream, label } of checkpoints) {
    const known = found.get(position);
    found.set(
      position,
      known === undefined
        ? {
            position,
            at,
            stream,
            kind: "checkpoint",
            tone: "info",
            label: label || "checkpoint",
            isCheckpoint: true,
          }
        : { ...known, isCheckpoint: true },
    );
  }
  return [...found.values()].sort((a, b) => a.position - b.position);
}

/** Return the place of a position among the stops: the newest one at or before it; now is the end. */
export function indexOf(stops: readonly Stop[], at: number | null): number {
  if (at === null) {
    return stops.length;
  }
  const index = stops.findLastIndex(({ position }) => position <= at);
  return Math.max(0, index);
}

/** Return the task that a stream is of; null for the thread and its own sessions. */
export function taskOf(thread: string, stream: string): string | null {
  if (!stream.startsWith(`${thread}/`)) {
    return null;
  }
  const name = stream.slice(thread.length + 1).split("/")[0] ?? "";
  return /^session-\d+/.test(name) || name === "" ? null : name;
}

/** Return the newest checkpoint of a task, or of the thread, at or before a position. */
export function checkpointAt(
  checkpoints: readonly Schemas["Checkpoint"][],
  position: number,
  task: string | null,
): Schemas["Checkpoint"] | null {
  return (
    checkpoints.findLast(
      (one) => one.position <= position && (task === null || one.task_id === task),
    ) ?? null
  );
}
