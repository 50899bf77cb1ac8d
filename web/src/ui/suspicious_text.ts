/** Characters that make a text read otherwise than it is: found, to be marked; pure. */

/** A piece of a text; one with `mark` is a character that people do not see, or take for another. */
export interface Piece {
  readonly text: string;
  readonly mark?: string;
}

const NAMES: Readonly<Record<string, string>> = {
  "\u00ad": "soft hyphen",
  "\u061c": "bidi mark",
  "\u180e": "vowel separator",
  "\u200b": "zero-width space",
  "\u200c": "zero-width non-joiner",
  "\u200d": "zero-width joiner",
  "\u200e": "left-to-right mark",
  "\u200f": "right-to-left mark",
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "end of direction",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2060": "word joiner",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "first strong isolate",
  "\u2069": "end of isolate",
  "\ufeff": "zero-width no-break space",
};

const HIDDEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;
const JOINED_EMOJI = /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*\u200d/gu;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const DIRECTION_MARKS = new Set(["\u061c", "\u200e", "\u200f"]);
/** Scripts whose letters are joined or kept apart by characters of no width. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]/u;
/** So far from a mark is looked for what it belongs to. */
const NEAR = 200;
const JOINERS = new Set(["\u200c", "\u200d"]);
const ISOLATED = /\u2068[^\n\u2066-\u2069\u202a-\u202e]*\u2069/gu;
const LOOKALIKE =
  /[A-Za-z][\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}][A-Za-z]/u;
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const WORD = /[\p{Letter}\p{Number}_]+/gu;

/** Tell whether a text holds something that has to be marked. */
export function isSuspicious(text: string): boolean {
  return (HIDDEN.test(text) && hidden(text).length > 0) || LOOKALIKE.test(text);
}

/** Tell whether a text has letters that are written from right to left. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** Cut a text at the characters that have to be marked. */
export function pieces(text: string): readonly Piece[] {
  if (!isSuspicious(text)) {
    return [{ text }];
  }
  const marks = [...hidden(text), ...lookalikes(text)].sort((a, b) => a.at - b.at);
  const cut: Piece[] = [];
  let done = 0;
  for (const { at, text: found, mark } of marks) {
    if (at > done) {
      cut.push({ text: text.slice(done, at) });
    }
    cut.push({ text: found, mark });
    done = at + found.length;
  }
  return done < text.length ? [...cut, { text: text.slice(done) }] : cut;
}

/** Return a text with what nobody would see written out, for readers that take plain text. */
export function withMarks(text: string): string {
  return isSuspicious(text)
    ? pieces(text)
        .map((piece) =>
          piece.mark !== undefined && HIDDEN.test(piece.text) ? `⟨${piece.mark}⟩` : piece.text,
        )
        .join("")
    : text;
}

interface Mark {
  readonly at: number;
  readonly text: string;
  readonly mark: string;
}

function hidden(text: string): readonly Mark[] {
  const proper = new Set([
    ...[...text.matchAll(JOINED_EMOJI)].map((found) => found.index + found[0].length - 1),
    ...[...text.matchAll(ISOLATED)].flatMap((found) => [
      found.index,
      found.index + found[0].length - 1,
    ]),
  ]);
  return [...text.matchAll(new RegExp(HIDDEN, "gu"))]
    .filter((found) => !proper.has(found.index) && !isSpelling(text, found.index, found[0]))
    .map((found) => ({
      at: found.index,
      text: found[0],
      mark: NAMES[found[0]] ?? "hidden character",
    }));
}

/**
 * Tell whether a character that is not seen belongs to the spelling of the text around it.
 *
 * Marks of direction do in a line with letters from right to left, joiners beside letters that join, and the one that
 * begins a file. What turns around the order of others never does.
 */
function isSpelling(text: string, at: number, character: string): boolean {
  if (DIRECTION_MARKS.has(character)) {
    const before =
      text
        .slice(Math.max(0, at - NEAR), at)
        .split("\n")
        .at(-1) ?? "";
    const after = text.slice(at, at + NEAR).split("\n", 1)[0] ?? "";
    return RIGHT_TO_LEFT.test(before + after);
  }
  if (JOINERS.has(character)) {
    return JOINING.test(text.slice(Math.max(0, at - 1), at));
  }
  return at === 0 && character === "\ufeff";
}

/** Letters of another script within a Latin word: `pаypal` with a Cyrillic а. */
function lookalikes(text: string): readonly Mark[] {
  return [...text.matchAll(WORD)]
    .filter((word) => LOOKALIKE.test(word[0]))
    .flatMap((word) =>
      [...word[0].matchAll(new RegExp(FOREIGN, "gu"))].map((found) => ({
        at: word.index + found.index,
        text: found[0],
        mark: `looks Latin, is ${code(found[0])}`,
      })),
    );
}

function code(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
