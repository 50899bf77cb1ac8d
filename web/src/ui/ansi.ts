/** What is dropped of a terminal's output before it is shown; pure. */

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are its subject
const STRINGS = /\u001b[\]PX^_][\s\S]*?(?:\u0007|\u001b\\|$)/g;
const SEQUENCES = /\u001b\[[0-?]*[ -/]*[@-~]/g;
const OTHERS = /\u001b(?!\[)[ -/]*[0-~]?|\u009b[0-?]*[ -/]*[@-~]/g;
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g;
const OVERWRITTEN = /^.*\r(?=[^\n])/gm;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: control characters are its subject

/** Return the text with its colours (SGR) alone: no titles, links, cursor moves, bells. */
export function withoutControls(text: string): string {
  return text
    .replace(STRINGS, "")
    .replace(SEQUENCES, (found) => (found.endsWith("m") ? found : ""))
    .replace(OTHERS, "")
    .replace(/\r\n/g, "\n")
    .replace(OVERWRITTEN, "")
    .replace(CONTROLS, "");
}

/** The beginnings of the lines that Treadle adds at the end of a step's output. */
const OWN = /^(\(It ran on a clean checkout of the commit|passed, but not on what was committed: )/;

/** Split what Treadle added at the end from an output: it is prose, and wraps. */
export function withoutOwnWords(text: string): readonly [output: string, words: string] {
  const at = text.lastIndexOf("\n", text.trimEnd().length - 1) + 1;
  return OWN.test(text.slice(at)) ? [text.slice(0, at), text.slice(at)] : [text, ""];
}
