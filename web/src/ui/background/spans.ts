/** Pieces of lines that are something, packed so that they cross from a worker at no cost; pure. */

/**
 * Pieces by line, counted from 0: those of line `n` are from `starts[n]` to `starts[n + 1]`, and
 * three numbers each: where it begins, where it ends, of which kind it is.
 */
export interface Spans {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly pieces: Uint16Array<ArrayBuffer>;
}

/** One piece of a line. */
export interface Span {
  readonly begin: number;
  readonly end: number;
  readonly kind: number;
}

/** Columns beyond this one have no pieces. */
export const LAST_COLUMN = 0xffff;

/** Gathers pieces in the order of the text. */
export class SpanWriter {
  readonly #starts: number[] = [0];
  readonly #pieces: number[] = [];

  /** Add a piece to the line that is written; one of nothing is left out. */
  add(begin: number, end: number, kind: number): void {
    const last = Math.min(end, LAST_COLUMN);
    if (kind === 0 || begin >= last) {
      return;
    }
    const at = this.#pieces.length;
    const isMore =
      at > (this.#starts.at(-1) ?? 0) * 3 &&
      this.#pieces[at - 2] === begin &&
      this.#pieces[at - 1] === kind;
    if (isMore) {
      this.#pieces[at - 2] = last;
    } else {
      this.#pieces.push(begin, last, kind);
    }
  }

  /** End a line. */
  newLine(): void {
    this.#starts.push(this.#pieces.length / 3);
  }

  /** Return all that was written; the last line is ended by it. */
  done(): Spans {
    this.newLine();
    return { starts: Uint32Array.from(this.#starts), pieces: Uint16Array.from(this.#pieces) };
  }
}

/** Return the pieces of a line; of one that is not there, none. */
export function spansOf(spans: Spans, line: number): Span[] {
  const begin = spans.starts[line];
  const end = spans.starts[line + 1];
  if (begin === undefined || end === undefined) {
    return [];
  }
  const found: Span[] = [];
  for (let at = begin * 3; at < end * 3; at += 3) {
    const [from = 0, to = 0, kind = 0] = spans.pieces.subarray(at, at + 3);
    found.push({ begin: from, end: to, kind });
  }
  return found;
}
