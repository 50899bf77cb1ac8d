/** Files that a message names with `@`, as they are typed; pure. */

/** A name that is being typed: where its `@` stands, and what follows it up to the caret. */
export interface Mention {
  readonly start: number;
  readonly query: string;
}

/** A text with its caret. */
export interface Typed {
  readonly text: string;
  readonly caret: number;
}

const BEFORE_CARET = /(?:^|[\s("'[])@(?:"([^"\n]{0,200})|([^\s"@]{0,200}))$/;
const PLAIN = /^[\w./+-]*\w$/;

/** Return the name that the caret is in; an address such as `ann@example.com` is none. */
export function mentionAt({ text, caret }: Typed): Mention | null {
  const found = BEFORE_CARET.exec(text.slice(0, caret));
  if (found === null) {
    return null;
  }
  const [whole, quoted, bare] = found;
  return { start: caret - whole.length + whole.indexOf("@"), query: quoted ?? bare ?? "" };
}

/** Return the text with a file named where its name was being typed, and the caret after it. */
export function withMention({ text, caret }: Typed, mention: Mention, path: string): Typed {
  const name = PLAIN.test(path) ? `@${path}` : `@"${path}"`;
  const rest = text.slice(caret);
  const gap = /^\s/.test(rest) ? "" : " ";
  const before = `${text.slice(0, mention.start)}${name}${gap}`;
  return { text: before + rest, caret: before.length + (gap === "" ? 1 : 0) };
}
