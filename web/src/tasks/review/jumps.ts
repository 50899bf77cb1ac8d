/** Going through a change by keys: to files, hunks and lines, by what is drawn. */

const HEAD_PIXELS = 44;
/** A line of the change, and none of what a comment suggests. */
const LINE = "[data-line]:not([data-block] *)";

function inOrder(scroller: HTMLElement, selector: string): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>(selector)];
}

/** Go to the next or previous element; returns it, and null where there is none. */
function step(scroller: HTMLElement, selector: string, by: 1 | -1): HTMLElement | null {
  const all = inOrder(scroller, selector);
  const focused = document.activeElement?.closest<HTMLElement>(selector) ?? null;
  const from = focused === null ? -1 : all.indexOf(focused);
  const top = scroller.getBoundingClientRect().top;
  const offset = (element: HTMLElement) => element.getBoundingClientRect().top - top;
  const next =
    from >= 0
      ? all[from + by]
      : by > 0
        ? all.find((element) => offset(element) > HEAD_PIXELS + 2)
        : all.findLast((element) => offset(element) < -2);
  if (next === undefined) {
    return null;
  }
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "start" });
  return next;
}

/** Go to the next or previous file; returns its path. */
export function stepFile(scroller: HTMLElement, by: 1 | -1): string | null {
  return step(scroller, "[data-path]", by)?.dataset.path ?? null;
}

/** A line of a file, by its key. */
export interface Cursor {
  readonly path: string;
  readonly key: string;
}

/** Go to the next or previous hunk; returns the first line that changed in it. */
export function stepHunk(scroller: HTMLElement, by: 1 | -1): Cursor | null {
  const hunk = step(scroller, "[data-hunk]", by);
  const path = hunk?.closest<HTMLElement>("[data-path]")?.dataset.path;
  return hunk && path !== undefined ? { path, key: hunk.dataset.hunk ?? "" } : null;
}

/** Go to the next or previous line that is drawn; from nowhere to the first one in sight. */
export function stepLine(scroller: HTMLElement, cursor: Cursor | null, by: 1 | -1): Cursor | null {
  const lines = inOrder(scroller, LINE);
  const now = cursor === null ? -1 : lines.findIndex((line) => isOf(line, cursor));
  const top = scroller.getBoundingClientRect().top + HEAD_PIXELS;
  const next =
    now >= 0 ? lines[now + by] : lines.find((line) => line.getBoundingClientRect().top >= top);
  const path = next?.closest<HTMLElement>("[data-path]")?.dataset.path;
  const key = next?.dataset.key;
  if (next === undefined || path === undefined || key === undefined) {
    return null;
  }
  next.scrollIntoView({ block: "nearest" });
  return { path, key };
}

function isOf(line: HTMLElement, cursor: Cursor): boolean {
  return (
    line.closest<HTMLElement>("[data-path]")?.dataset.path === cursor.path &&
    (line.dataset.key === cursor.key ||
      line.querySelector(`[data-gutter="${CSS.escape(cursor.key)}"]`) !== null)
  );
}

/** Return the file that the reader is at. */
export function fileAt(scroller: HTMLElement): string | null {
  const focused = document.activeElement?.closest<HTMLElement>("[data-path]");
  const top = scroller.getBoundingClientRect().top;
  const seen = inOrder(scroller, "[data-path]").findLast(
    (element) => element.getBoundingClientRect().top - top <= HEAD_PIXELS,
  );
  return (focused ?? seen)?.dataset.path ?? null;
}

/** Bring a file to the top, and the focus to it. */
export function openFile(scroller: HTMLElement, path: string): void {
  const file = inOrder(scroller, "[data-path]").find((one) => one.dataset.path === path);
  file?.focus({ preventScroll: true });
  file?.scrollIntoView({ block: "start" });
}
