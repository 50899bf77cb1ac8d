/** Labels of hosts as they are typed; pure. */

/** Return the labels of a text, each once. */
export function labelsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((label) => label !== ""))];
}
