/** What this browser's person has looked at, kept from visit to visit. */

import { useCallback, useState } from "react";
import { markSeen, type Seen, type SideLine } from "@/api/lines";

const KEY = "treadle.seen";

function load(): Seen | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return isSeen(found) ? found : null;
  } catch {
    return null;
  }
}

function isSeen(value: unknown): value is Seen {
  return typeof value === "object" && value !== null && "baseline" in value && "lines" in value;
}

function keep(seen: Seen): Seen {
  localStorage.setItem(KEY, JSON.stringify(seen));
  return seen;
}

/** Return what was looked at, and how to note another look; `lines` are all that are listed. */
export function useSeen(
  lines: readonly SideLine[] | undefined,
): readonly [Seen | null, (line: SideLine) => void] {
  const [seen, setSeen] = useState(load);
  if (seen === null && lines !== undefined) {
    const baseline = Math.max(0, ...lines.map((line) => line.changed));
    setSeen(keep({ baseline, lines: {} }));
  }
  const look = useCallback(
    (line: SideLine) =>
      setSeen((before) =>
        before === null || before.lines[line.id] === line.changed
          ? before
          : keep(markSeen(before, line, lines ?? [])),
      ),
    [lines],
  );
  return [seen, look];
}
