/** What was typed and not sent yet, kept in this browser until it is. */

import { useCallback, useState } from "react";

const PREFIX = "treadle.draft.";

/** Return a draft, how it is changed, and nothing is lost by a reload; an empty one is forgotten. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const key = `${PREFIX}${name}`;
  const [kept, setKept] = useState({ key, text: localStorage.getItem(key) ?? "" });
  const text = kept.key === key ? kept.text : (localStorage.getItem(key) ?? "");
  const write = useCallback(
    (typed: string) => {
      if (typed === "") {
        localStorage.removeItem(key);
      } else {
        localStorage.setItem(key, typed);
      }
      setKept({ key, text: typed });
    },
    [key],
  );
  return [text, write];
}
