/** A command line cut into its words, quotes as in a shell; pure. */

/** Return the words of a command; a quote that is not closed reaches to the end. */
export function argumentsOf(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*(?:"|$)|'[^']*(?:'|$))+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)(?:"|$)|'([^']*)(?:'|$)/g, "$1$2"));
}
