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
