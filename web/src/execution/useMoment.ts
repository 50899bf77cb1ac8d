/** The moment that the page shows: its position stands in the address, so that it can be shared. */

import { useSearchParams } from "wouter";

/** Return how to show a position of the journal; null is now. */
export function useMoment(): { readonly show: (position: number | null) => void } {
  const [, setParams] = useSearchParams();
  return {
    show: (position) =>
      setParams(
        (params) => {
          if (position === null) {
            params.delete("at");
          } else {
            params.set("at", String(position));
          }
          return params;
        },
        { replace: position !== null },
      ),
  };
}
