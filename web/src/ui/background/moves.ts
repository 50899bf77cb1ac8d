/** Blocks of lines that were removed in one place and came in another; pure, for the page's worker. */

/** Lines of one side of a file that changed: `run` names those that lie together with what took their place. */
export interface ChangedLine {
  readonly path: string;
  readonly line: number;
  readonly run: number;
  readonly text: string;
}

/** A block that moved: so many lines, from a line of the file before to one of the file after. */
export interface Move {
  readonly fromPath: string;
  readonly fromLine: number;
  readonly toPath: string;
  readonly toLine: number;
  readonly count: number;
}

/** Fewer lines alike are chance. */
const LEAST_LINES = 3;
/** So many letters and digits make a block more than brackets; git's own measure (`--color-moved`). */
const LEAST_LETTERS = 20;
const MOST_LINES = 50_000;
const MOST_CANDIDATES = 40;
const MOST_STEPS = 3_000_000;

/** Find what moved; how a line is indented counts for nothing. */
export function findMoves(
  removed: readonly ChangedLine[],
  added: readonly ChangedLine[],
): readonly Move[] {
  if (Math.max(removed.length, added.length) > MOST_LINES) {
    return [];
  }
  const old = removed.map(({ text }) => text.trim());
  const fresh = added.map(({ text }) => text.trim());
  const places = placesOf(fresh);
  const used = new Set<number>();
  const moves: Move[] = [];
  let steps = 0;
  for (let at = 0; at < removed.length && steps < MOST_STEPS; ) {
    let [best, length] = [-1, 0];
    for (const to of candidates(old[at] ?? "", places)) {
      const found = lengthOf(at, to);
      steps += found + 1;
      if (found > length) {
        [best, length] = [to, found];
      }
    }
    if (length < LEAST_LINES || letters(old.slice(at, at + length)) < LEAST_LETTERS) {
      at++;
      continue;
    }
    moves.push(moveOf(removed[at], added[best], length));
    for (let index = best; index < best + length; index++) {
      used.add(index);
    }
    at += length;
  }
  return moves;

  function lengthOf(from: number, to: number): number {
    let length = 0;
    while (
      !used.has(to + length) &&
      old[from + length] !== undefined &&
      old[from + length] === fresh[to + length] &&
      removed[from + length]?.run !== added[to + length]?.run &&
      isNext(removed, from, length) &&
      isNext(added, to, length)
    ) {
      length++;
    }
    return length;
  }
}

function candidates(text: string, places: ReadonlyMap<string, readonly number[]>) {
  const found = /[\p{L}\p{N}]/u.test(text) ? (places.get(text) ?? []) : [];
  return found.length > MOST_CANDIDATES ? [] : found;
}

/** Tell whether a line lies so far below another one of the same file. */
function isNext(lines: readonly ChangedLine[], from: number, by: number): boolean {
  const [first, last] = [lines[from], lines[from + by]];
  return first?.path === last?.path && (first?.line ?? 0) + by === last?.line;
}

function placesOf(texts: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  texts.forEach((text, index) => {
    const there = places.get(text);
    if (there === undefined) {
      places.set(text, [index]);
    } else {
      there.push(index);
    }
  });
  return places;
}

function letters(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
}

function moveOf(from: ChangedLine | undefined, to: ChangedLine | undefined, count: number): Move {
  return {
    fromPath: from?.path ?? "",
    fromLine: from?.line ?? 0,
    toPath: to?.path ?? "",
    toLine: to?.line ?? 0,
    count,
  };
}
