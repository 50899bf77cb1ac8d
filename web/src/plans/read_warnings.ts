/** Which warnings of a thread's plans were read, so that none is to be read twice. */

const read = new Map<string, ReadonlySet<string>>();

/** Tell whether all of these were read; an edit that adds none needs no further look. */
export function hasRead(threadId: string, texts: readonly string[]): boolean {
  const known = read.get(threadId);
  return texts.every((text) => known?.has(text));
}

/** Remember that these were read, or take that back. */
export function noteRead(threadId: string, texts: readonly string[], isRead: boolean): void {
  const known = new Set(read.get(threadId));
  for (const text of texts) {
    known[isRead ? "add" : "delete"](text);
  }
  read.set(threadId, known);
}
