/** Fetches again what changed, each thing one fetch at a time; pure except for its timers. */

const GATHER_MS = 16;
const PAUSE_MS = 400;
const PATIENCE_MS = 10_000;
const MOST_REST_MS = 5_000;

type Stage = "gathering" | "fetching" | "due";

const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Return the milliseconds that a fetch took; one that fails or is never answered ends too. */
async function timed(fetch: () => Promise<unknown>, now: () => number): Promise<number> {
  const began = now();
  const ended = fetch().catch(() => undefined);
  await Promise.race([ended, after(PATIENCE_MS)]);
  return now() - began;
}

/**
 * Return a function that has a thing fetched again, by its name.
 *
 * What changes while it is fetched is fetched after that, at least 400 ms later: begun anew at each
 * change, a fetch that takes longer than changes take to come would never end. While changes keep
 * coming, the pause after a slow fetch is as long as the fetch, up to 5 s.
 */
export function refresher(
  fetch: (name: string) => Promise<unknown>,
  now: () => number = () => performance.now(),
): (name: string) => void {
  const stages = new Map<string, Stage>();
  const refresh = async (name: string) => {
    let isFirst = true;
    do {
      stages.set(name, "gathering");
      await after(GATHER_MS);
      stages.set(name, "fetching");
      const [took] = await Promise.all([timed(() => fetch(name), now), after(PAUSE_MS)]);
      const isStale = stages.get(name) === "due";
      if (took > PAUSE_MS && !(isFirst && isStale)) {
        await after(Math.min(took, MOST_REST_MS));
      }
      isFirst = false;
    } while (stages.get(name) === "due");
    stages.delete(name);
  };
  return (name) => {
    const stage = stages.get(name);
    if (stage === undefined) {
      void refresh(name);
    } else if (stage === "fetching") {
      stages.set(name, "due");
    }
  };
}
