/**
 * Where moments stand on a line of time; pure.
 *
 * A thread may wait for a person for days between two minutes of work: long silences are folded to
 * a short break, so that the work stays legible.
 */

/** A silence that is folded, by its place from 0 to 1 and its true length in ms. */
export interface Break {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** A line of time: moments to places from 0 to 1. */
export interface Scale {
  readonly place: (at: number) => number;
  readonly breaks: readonly Break[];
  readonly from: number;
  readonly to: number;
}

const LEAST_SILENCE_MS = 10 * 60_000;
const FOLDED_SHARE = 0.07;

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly isFolded: boolean;
}

/** Return the line from the first moment to the last one, with long silences between them folded. */
export function scaleOf(moments: readonly number[]): Scale {
  const times = [...new Set(moments)].sort((a, b) => a - b);
  const from = times[0] ?? 0;
  const to = Math.max(times.at(-1) ?? 1, from + 1000);
  const pieces = piecesOf([...times, to]);
  const lively = pieces.filter(({ isFolded }) => !isFolded);
  const total = lively.reduce((sum, piece) => sum + piece.to - piece.from, 0) || 1;
  const folded = pieces.length - lively.length;
  const each = folded === 0 ? 0 : Math.min(FOLDED_SHARE, 0.5 / folded);
  const room = 1 - folded * each;
  const laid: (Piece & { readonly start: number; readonly share: number })[] = [];
  let start = 0;
  for (const piece of pieces) {
    const share = piece.isFolded ? each : (room * (piece.to - piece.from)) / total;
    laid.push({ ...piece, start, share });
    start += share;
  }
  const place = (at: number) => {
    const piece = laid.find((one) => at <= one.to) ?? laid.at(-1);
    if (piece === undefined) {
      return 0;
    }
    const inside = (at - piece.from) / (piece.to - piece.from || 1);
    return Math.min(1, Math.max(0, piece.start + inside * piece.share));
  };
  const breaks = laid
    .filter(({ isFolded }) => isFolded)
    .map((one) => ({
      from: one.start,
      to: one.start + one.share,
      length: one.to - one.from,
    }));
  return { place, breaks, from, to };
}

function piecesOf(times: readonly number[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let index = 1; index < times.length; index += 1) {
    const [from, to] = [times[index - 1] ?? 0, times[index] ?? 0];
    const last = pieces.at(-1);
    const isFolded = to - from > LEAST_SILENCE_MS;
    if (last && !last.isFolded && !isFolded) {
      pieces[pieces.length - 1] = { ...last, to };
    } else if (to > from) {
      pieces.push({ from, to, isFolded });
    }
  }
  return pieces;
}

const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 86_400];

/** A mark of the clock. */
export interface Tick {
  readonly at: number;
  readonly place: number;
  readonly label: string;
}

/** Return marks of round times, so many that they do not touch; none inside of a folded silence. */
export function ticksOf(scale: Scale, width: number, least = 90): readonly Tick[] {
  const most = Math.max(1, Math.floor(width / least));
  const lively = scale.to - scale.from - scale.breaks.reduce((sum, one) => sum + one.length, 0);
  const step = 1000 * (STEPS_S.find((seconds) => lively / (seconds * 1000) <= most) ?? 86_400);
  const gap = least / width;
  const found: Tick[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const count = Math.ceil((scale.to - scale.from) / step);
  const stride = Math.max(1, Math.ceil(count / 2000));
  for (let index = 0; index <= count; index += stride) {
    const at = Math.ceil(scale.from / step) * step + index * step;
    const place = scale.place(at);
    const isInBreak = scale.breaks.some(({ from, to }) => place > from && place < to);
    if (at <= scale.to && !isInBreak && place - last >= gap) {
      found.push({ at, place, label: clockOf(at, step) });
      last = place;
    }
  }
  return found;
}

function clockOf(at: number, step: number): string {
  return new Date(at).toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(step < 60_000 ? { second: "2-digit" } : {}),
  });
}
