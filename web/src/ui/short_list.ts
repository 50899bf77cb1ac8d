/** What is shown of a long list; pure. */

/** Return the items whose text has all words, whatever their case. */
export function matching<T>(
  all: readonly T[],
  sought: string,
  textOf: (item: T) => string,
): readonly T[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    return all;
  }
  return all.filter((item) => {
    const text = textOf(item).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Return the first items, and in their order those that are kept in any case. */
export function firstOf<T>(
  all: readonly T[],
  limit: number,
  isKept: (item: T) => boolean,
): readonly T[] {
  return all.length <= limit ? all : all.filter((item, place) => place < limit || isKept(item));
}
