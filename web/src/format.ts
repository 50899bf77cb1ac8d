/** Counts, lengths of time and moments as people read them, by the platform's own formats; pure. */

const LOCALE = "en";
const PLURALS = new Intl.PluralRules(LOCALE);
const COMPACT = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(LOCALE, { style: "percent" });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const EXACT = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** Return a count with its noun: `1 file`, `3 files`. */
export function plural(count: number, noun: string, several = `${noun}s`): string {
  return `${count.toLocaleString(LOCALE)} ${PLURALS.select(count) === "one" ? noun : several}`;
}

/** Return a count in short: `980`, `28.6K`, `1.2M`. */
export function compact(count: number): string {
  return COMPACT.format(count);
}

/** Return a size in short: `980 KB`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const kilobytes = Math.ceil(bytes / 1024);
  return kilobytes < 1024 ? `${kilobytes} KB` : `${compact(bytes / 1024 ** 2)} MB`;
}

/** Return the share that one count is of another: `12%`. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : PERCENT.format(part / whole);
}

/** Join items: `a`, `a and b`, `a, b, and c`. */
export function joinWords(items: readonly string[]): string {
  return new Intl.ListFormat(LOCALE).format(items);
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

const MINUTES_ONLY_MS = 600_000;

/**
 * Return a length of time in its two largest units: `2d 4h`, `3m 12s`; no seconds from 10 min on.
 *
 * Below a minute, seconds have up to `digits` decimals.
 */
export function formatDuration(
  ms: number,
  digits = 0,
  display: "narrow" | "long" = "narrow",
): string {
  const length = Math.max(0, ms);
  const format = (value: number, unit: string, maximumFractionDigits = 0) =>
    new Intl.NumberFormat(LOCALE, {
      style: "unit",
      unit,
      unitDisplay: display,
      maximumFractionDigits,
      roundingMode: maximumFractionDigits > 0 ? "halfExpand" : "trunc",
    }).format(value);
  const first = UNITS.findIndex(([, size]) => length >= size);
  if (first < 0 || first === UNITS.length - 1) {
    return format(length / 1000, "second", digits);
  }
  const shown = UNITS.slice(first, Math.min(first + 2, length >= MINUTES_ONLY_MS ? 3 : 4));
  return shown
    .map(([unit, size], index) => {
      const above = index === 0 ? Number.POSITIVE_INFINITY : (shown[index - 1]?.[1] ?? size);
      return [Math.floor((length % above) / size), unit] as const;
    })
    .filter(([count]) => count > 0)
    .map(([count, unit]) => format(count, unit))
    .join(" ");
}

/** Return hours and minutes: `14:02`. */
export function formatTime(at: string | number): string {
  return CLOCK.format(new Date(at));
}

/** Return a moment of today to the second, one of another day with its day: `21 Nov, 14:02:31`. */
export function formatMoment(at: string | number, now: number = Date.now()): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date(now).toDateString();
  return isToday ? EXACT.format(time) : `${DAY.format(time)}, ${EXACT.format(time)}`;
}

/** Put a text into one line and cut it to a length, marked by an ellipsis. */
export function truncate(text: string, length = 200): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
