/**
 * Colours of 24 bits as those of the palette of 256; pure.
 *
 * xterm draws the former by style attributes, which the page's policy refuses, the latter by classes.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const COLOURS = /\u001b\[([\d;:]*)m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const BEGUN = /\u001b(?:\[[\d;:]*)?$/;
const DIRECT = /([34]8)[;:]2(?:::|[;:])(\d{1,3})[;:](\d{1,3})[;:](\d{1,3})/g;
const LONGEST = 64;

/** Rewrites a text that comes in pieces; a sequence that is cut waits for its rest. */
export class Palette {
  #begun = "";

  /** Return a piece with colours of the palette only. */
  take(piece: string): string {
    const text = this.#begun + piece;
    const cut = BEGUN.exec(text);
    const isKept = cut !== null && text.length - cut.index <= LONGEST;
    this.#begun = isKept ? text.slice(cut.index) : "";
    const whole = isKept ? text.slice(0, cut.index) : text;
    return whole.replace(COLOURS, (_, codes: string) => {
      const label = codes.replace(
        DIRECT,
        (__, ground: string, r: string, g: string, b: string) =>
          `${ground};5;${nearest(Number(r), Number(g), Number(b))}`,
      );
      return `\u001b[${label}m`;
    });
  }
}

/** The colour of the cube of 6 x 6 x 6, or of the greys, that is nearest. */
function nearest(red: number, green: number, blue: number): number {
  if (red === green && green === blue) {
    const grey = Math.round((red - 8) / 10);
    return grey < 0 ? 16 : grey > 23 ? 231 : 232 + grey;
  }
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) =>
    part < 48 ? 0 : Math.min(5, Math.round((part - 55) / 40)),
  );
  return 16 + 36 * r + 6 * g + b;
}
