/** Where an entry goes when it is moved by one; pure. */

/** Where an entry goes: before another, or to a priority; without both to the very front. */
export interface Move {
  readonly before: string | null;
  readonly priority: number | null;
}

/** What is known of an entry that waits. */
export interface Waiting {
  readonly id: string;
  readonly priority: number;
}

/** Return the move that puts the entry one place further up or down; null where it cannot go. */
export function moveBy(entries: readonly Waiting[], id: string, by: -1 | 1): Move | null {
  const index = entries.findIndex((entry) => entry.id === id);
  const other = entries[by < 0 ? index - 1 : index + 2];
  if (index < 0 || (by < 0 && other === undefined) || index + by >= entries.length) {
    return null;
  }
  if (other !== undefined) {
    return { before: other.id, priority: null };
  }
  const last = entries[entries.length - 1];
  return last ? { before: null, priority: last.priority } : null;
}

/** What has a name that nobody reads, and a title. */
export interface Named {
  readonly entry_id: string;
  readonly title?: string | undefined;
}

/** Return a text with the titles of what it names; the longest name first, for one may begin another. */
export function titled(text: string, known: readonly Named[]): string {
  return known
    .toSorted((one, other) => other.entry_id.length - one.entry_id.length)
    .reduce(
      (label, { entry_id: id, title }) => (title ? label.replaceAll(id, `“${title}”`) : label),
      text,
    );
}
