/** How a review is looked at: the whole change or since the last one, in one column or two. */

import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";

const KEY = "treadle.review.split";
const NARROW = "(max-width: 900px)";

/** What is chosen, and how it is changed. */
export interface ReviewLayout {
  readonly isSince: boolean;
  readonly isSplit: boolean;
  readonly showSince: (isSince: boolean) => void;
  readonly toggleSplit: () => void;
  /** The address of the task itself. */
  readonly back: string;
}

/**
 * Keep the look of reviews; the address tells where the whole change is wanted.
 *
 * What was reworked is shown since the last review.
 */
export function useReviewLayout(isReworked: boolean): ReviewLayout {
  const [path] = useLocation();
  const [search, setSearch] = useSearchParams();
  const [isSplit, setSplit] = useState(() => localStorage.getItem(KEY) === "yes");
  const isNarrow = window.matchMedia(NARROW).matches;
  return {
    isSince: isReworked && search.get("since") !== "base",
    isSplit: isSplit && !isNarrow,
    showSince: (isSince) => setSearch(isSince ? {} : { since: "base" }, { replace: true }),
    toggleSplit: () => {
      localStorage.setItem(KEY, isSplit ? "no" : "yes");
      setSplit(!isSplit);
    },
    back: path.replace(/\/review$/, ""),
  };
}
