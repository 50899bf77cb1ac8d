/** The keys of a bar or card that decides: they work while the focus is in it, and nowhere else. */

import type { KeyboardEvent } from "react";
import { endsSequence, hasSingleKeys, isTyping } from "@/keyboard/registry";

/** Return what a bar does on a key; a key of a text, of a sequence or with a modifier is not its own. */
export function pressIn(
  keys: Readonly<Record<string, (() => void) | undefined>>,
): (event: KeyboardEvent) => void {
  return (event) => {
    const run = keys[event.key.toLowerCase()];
    const isPlain = !(event.metaKey || event.ctrlKey || event.altKey || event.repeat);
    const isOther = isTyping(event.target) || endsSequence(event.nativeEvent) || !hasSingleKeys();
    if (run && isPlain && !isOther) {
      event.preventDefault();
      event.stopPropagation();
      run();
    }
  };
}
