/** The lines that changed between two texts, with some around them; pure. */

/** A line of a diff; `old` and `now` are its numbers on the two sides, from 1. */
export interface DiffLine {
  readonly sign: "+" | "-" | " " | "@";
  readonly text: string;
  readonly old?: number;
  readonly now?: number;
}

/** A diff with what it amounts to. */
export interface LineDiff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

type Edit = readonly ["+" | "-" | " ", string];

const CONTEXT = 3;
const MAX_EDITS = 600;

/** Compare two texts by lines; beyond 600 edits what differs is shown as replaced as a whole. */
export function lineDiff(oldText: string, newText: string): LineDiff {
  const old = linesOf(oldText);
  const now = linesOf(newText);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) {
    start += 1;
  }
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end += 1;
  }
  const middle = edited(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const before = old.slice(Math.max(0, start - CONTEXT), start).map((text) => [" ", text] as const);
  const after = old
    .slice(old.length - end, old.length - end + CONTEXT)
    .map((text) => [" ", text] as const);
  return {
    lines: numbered([...before, ...middle, ...after], start - before.length),
    added: middle.filter(([sign]) => sign === "+").length,
    removed: middle.filter(([sign]) => sign === "-").length,
  };
}

function linesOf(text: string): readonly string[] {
  if (text === "") {
    return [];
  }
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** Myers' shortest edit script. */
function edited(old: readonly string[], now: readonly string[]): readonly Edit[] {
  const trace: Map<number, number>[] = [];
  const furthest = new Map<number, number>([[1, 0]]);
  const limit = Math.min(MAX_EDITS, old.length + now.length);
  for (let d = 0; d <= limit; d += 1) {
    trace.push(new Map(furthest));
    for (let k = -d; k <= d; k += 2) {
      const down = furthest.get(k + 1) ?? -1;
      const right = furthest.get(k - 1) ?? -1;
      let x = k === -d || (k !== d && right < down) ? down : right + 1;
      while (x < old.length && x - k < now.length && old[x] === now[x - k]) {
        x += 1;
      }
      furthest.set(k, x);
      if (x >= old.length && x - k >= now.length) {
        return walked(old, now, trace);
      }
    }
  }
  return [...old.map((text) => ["-", text] as const), ...now.map((text) => ["+", text] as const)];
}

function walked(
  old: readonly string[],
  now: readonly string[],
  trace: readonly Map<number, number>[],
): readonly Edit[] {
  const edits: Edit[] = [];
  let x = old.length;
  let y = now.length;
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const furthest = trace[d] ?? new Map<number, number>();
    const k = x - y;
    const down = furthest.get(k + 1) ?? -1;
    const right = furthest.get(k - 1) ?? -1;
    const from = k === -d || (k !== d && right < down) ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : (furthest.get(from) ?? 0);
    const fromY = d === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      edits.push([" ", old[x] ?? ""]);
    }
    if (d > 0 && x > fromX) {
      x -= 1;
      edits.push(["-", old[x] ?? ""]);
    } else if (d > 0) {
      y -= 1;
      edits.push(["+", now[y] ?? ""]);
    }
  }
  return edits.reverse();
}

/** Number lines, and leave out those that are far from every change. */
function numbered(edits: readonly Edit[], skipped: number): readonly DiffLine[] {
  const near = new Set<number>();
  edits.forEach(([sign], index) => {
    for (let n = index - CONTEXT; sign !== " " && n <= index + CONTEXT; n += 1) {
      near.add(n);
    }
  });
  const lines: DiffLine[] = [];
  let old = skipped;
  let now = skipped;
  let isGap = skipped > 0;
  edits.forEach(([sign, text], index) => {
    old += sign === "+" ? 0 : 1;
    now += sign === "-" ? 0 : 1;
    if (!near.has(index)) {
      isGap = true;
      return;
    }
    if (isGap) {
      lines.push({ sign: "@", text: `line ${sign === "-" ? old : now}` });
      isGap = false;
    }
    lines.push({
      sign,
      text,
      ...(sign === "+" ? {} : { old }),
      ...(sign === "-" ? {} : { now }),
    });
  });
  return lines;
}
