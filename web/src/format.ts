/** Small words for figures; pure. */

/** Say a count with its noun: `1 file`, `3 files`. */
export function counted(count: number, noun: string, several = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : several}`;
}

/** Say a length of time in ms as people read it after the fact: `0.2 s`, `2 m 10 s`. */
export function took(ms: number): string {
  if (ms < 60_000) {
    return `${(ms / 1000).toFixed(1)} s`;
  }
  const seconds = Math.round(ms / 1000);
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} m ${seconds % 60} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} m`;
}

/** Cut a text to a length, and say so by an ellipsis. */
export function clipped(text: string, length = 200): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
