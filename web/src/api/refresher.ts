/** Fetches again what changed, each thing one fetch at a time; pure except for its timers. */

const GATHER_MS = 16;
const PAUSE_MS = 400;
const PATIENCE_MS = 10_000;

type Stage = "gathering" | "fetching" | "due";

const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * Return a function that has a thing fetched again, by its name.
 *
 * What changes while it is fetched is fetched after that, at least 400 ms later: begun anew at each
 * change, a fetch that takes longer than changes take to come would never end.
 */
export function refresher(fetch: (name: string) => Promise<unknown>): (name: string) => void {
  const stages = new Map<string, Stage>();
  const refresh = async (name: string) => {
    do {
      stages.set(name, "gathering");
      await after(GATHER_MS);
      stages.set(name, "fetching");
      await Promise.all([Promise.race([fetch(name), after(PATIENCE_MS)]), after(PAUSE_MS)]);
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
