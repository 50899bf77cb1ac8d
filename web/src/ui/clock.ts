/** Moments by the clock, the same way everywhere on the page: 24 hours, the day only where it is another. */

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const EXACT = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** Return hours and minutes: `14:02`. */
export function clockOf(at: string | number): string {
  return CLOCK.format(new Date(at));
}

/** Return a moment of today to the second, one of another day with its day: `21 Nov, 14:02:31`. */
export function momentOf(at: string | number, now: number = Date.now()): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date(now).toDateString();
  return isToday ? EXACT.format(time) : `${DAY.format(time)}, ${EXACT.format(time)}`;
}
