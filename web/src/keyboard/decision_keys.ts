/** The keys that approve and reject what is shown, from wherever the focus is. */

import { onceMeant } from "@/keyboard/presses";

/**
 * Press the button that decides in a place, once the key is known to be meant.
 *
 * Buttons are marked by `data-approve` and `data-reject`. Where what must be read comes first, or
 * several things could be meant, the focus goes there and nothing is decided.
 */
export function pressDecision(place: ParentNode | null, choice: "approve" | "reject"): void {
  const buttons = place?.querySelectorAll<HTMLButtonElement>(`[data-${choice}]`) ?? [];
  const [button] = buttons;
  if (button === undefined) {
    place?.querySelector<HTMLElement>("button:enabled, input:enabled, textarea:enabled")?.focus();
  } else if (buttons.length > 1) {
    button.closest<HTMLElement>("[data-approve-bar]")?.focus();
  } else if (button.disabled) {
    const bar = button.closest("[data-approve-bar]");
    bar?.querySelector<HTMLElement>("input[type=checkbox]:enabled")?.focus();
  } else {
    button.focus();
    onceMeant(() => button.isConnected && button.click());
  }
}
