/** How a review is looked at: the whole change or since the last one, in one column or two, with spaces or without. */

import { useLocation, useSearchParams } from "wouter";
import { type DiffSettings, useDiffSettings } from "@/diff/settings";

/** What a change is shown against: where the work began, what was sent back, what this browser has shown before. */
export type Since = "base" | "review" | "looked";

/** What is chosen, and how it is changed. */
export interface ReviewLayout extends DiffSettings {
  readonly since: Since;
  readonly showSince: (since: Since) => void;
  /** The address of the task itself. */
  readonly back: string;
}

/**
 * Keep the look of reviews; the address tells where the whole change is wanted.
 *
 * What was reworked is shown since the last review.
 */
export function useReviewLayout(isReworked: boolean, hasLooked: boolean): ReviewLayout {
  const [path] = useLocation();
  const [search, setSearch] = useSearchParams();
  const settings = useDiffSettings();
  return {
    ...settings,
    since: sinceOf(search.get("since"), isReworked, hasLooked),
    showSince: (since) => setSearch(since === "review" ? {} : { since }, { replace: true }),
    back: path.replace(/\/review$/, ""),
  };
}

function sinceOf(asked: string | null, isReworked: boolean, hasLooked: boolean): Since {
  if (asked === "looked" && hasLooked) {
    return "looked";
  }
  return isReworked && asked !== "base" ? "review" : "base";
}
