/** Threads that a person keeps at the top of the sidebar, in this browser. */

import { useDraft } from "@/ui/draft";

/** Return what is pinned, and how a thread or run is pinned and unpinned. */
export function usePins(): readonly [ReadonlySet<string>, (id: string) => void] {
  const [saved, save] = useDraft("pins");
  const pins = new Set(saved.split(" ").filter((id) => id !== ""));
  const toggle = (id: string) => {
    const next = pins.has(id) ? [...pins].filter((each) => each !== id) : [...pins, id];
    save(next.join(" "));
  };
  return [pins, toggle];
}
