/** What of the inbox is snoozed, and when it comes back; pure. */

interface Snoozable {
  readonly snoozed_until?: string | null | undefined;
}

/** Part what is snoozed from what is not. */
export function partSnoozed<T extends Snoozable>(
  items: readonly T[],
): { readonly awake: readonly T[]; readonly asleep: readonly T[] } {
  const isAsleep = (item: T) => (item.snoozed_until ?? null) !== null;
  return { awake: items.filter((item) => !isAsleep(item)), asleep: items.filter(isAsleep) };
}

/** Return in how many milliseconds the next item comes back; false where none is snoozed. */
export function nextBack(items: readonly Snoozable[], now: Date): number | false {
  const ends = items.flatMap(({ snoozed_until: until }) => (until ? [Date.parse(until)] : []));
  // a timer of browsers holds 24 days at most
  return (
    ends.length > 0 && Math.min(Math.max(Math.min(...ends) - now.getTime(), 0) + 500, 86_400_000)
  );
}
