/** A line through the journal of a thread: choose a moment, and see everything as it was then. */

import type { ThreadView } from "@/plan/models";

interface Props {
  readonly thread: ThreadView;
  /** The position that is shown; null is now. */
  readonly at: number | null;
}

/** Choose a moment of a thread; the address holds it. */
export function Scrubber({ thread, at }: Props) {
  return (
    <section aria-label="Time travel">
      {thread.thread_id} {at ?? "now"}
    </section>
  );
}
