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
  return index < 0 ? null : moveTo(entries, id, index + by);
}

/** Return the move that puts the entry at a place, from 0; null where it is there already, or there is no such place. */
export function moveTo(entries: readonly Waiting[], id: string, place: number): Move | null {
  const index = entries.findIndex((entry) => entry.id === id);
  if (index < 0 || index === place || place < 0 || place >= entries.length) {
    return null;
  }
  const others = entries.toSpliced(index, 1);
  const behind = others[place];
  if (behind !== undefined) {
    return { before: behind.id, priority: null };
  }
  const last = others.at(-1);
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
