/** How this browser shows changes: in one column or two, with what differs in spaces alone or without. */

import { useState } from "react";
import type { DiffLook } from "@/diff/DiffBody";

const SPLIT = "treadle.review.split";
const WHITESPACE = "treadle.review.whitespace";
const NARROW = "(max-width: 900px)";

/** What is chosen, and how it is changed. */
export interface DiffSettings {
  readonly look: DiffLook;
  readonly toggleSplit: () => void;
  readonly toggleWhitespace: () => void;
}

/** Keep the choices; two columns have no room in a narrow window. */
export function useDiffSettings(): DiffSettings {
  const [isSplit, toggleSplit] = useSaved(SPLIT);
  const [isWhitespaceOff, toggleWhitespace] = useSaved(WHITESPACE);
  const isTwo = isSplit && !window.matchMedia(NARROW).matches;
  const [look, setLook] = useState<DiffLook>({ isSplit: isTwo, isWhitespaceOff });
  if (look.isSplit !== isTwo || look.isWhitespaceOff !== isWhitespaceOff) {
    setLook({ isSplit: isTwo, isWhitespaceOff });
  }
  return { look, toggleSplit, toggleWhitespace };
}

function useSaved(key: string): readonly [boolean, () => void] {
  const [isOn, setOn] = useState(() => localStorage.getItem(key) === "yes");
  const toggle = () => {
    localStorage.setItem(key, isOn ? "no" : "yes");
    setOn(!isOn);
  };
  return [isOn, toggle];
}
