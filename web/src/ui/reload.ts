/** Parts of the page that cannot be had: it was built anew meanwhile, or the engine is away. */

const RELOADED = "treadle.reloaded";
const LOOK_MS = 2_000;
/** So long apart are two reloads that nobody asked for: a page that stays broken does not flicker. */
const APART_MS = 30_000;

const missing = new WeakSet<object>();

/** Remember which failures are those of parts that could not be loaded. */
export function watchParts(): void {
  window.addEventListener("vite:preloadError", ({ payload }) => missing.add(payload));
}

/** Tell whether something failed because a part of the page could not be loaded. */
export function isMissingPart(error: unknown): boolean {
  return typeof error === "object" && error !== null && missing.has(error);
}

/** Take the new page if the engine answers: without it, the browser would show an error of its own. */
export async function reload(): Promise<void> {
  const isThere = await fetch("/v1/health").then(
    (answer) => answer.ok,
    () => false,
  );
  if (isThere) {
    sessionStorage.setItem(RELOADED, String(Date.now()));
    window.location.reload();
  }
}

/** Take the new page by itself, as soon as that is possible; returns how to stop. */
export function reloadSoon(): () => void {
  const look = () => {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) > APART_MS) {
      void reload();
    }
  };
  look();
  const timer = window.setInterval(look, LOOK_MS);
  return () => window.clearInterval(timer);
}
