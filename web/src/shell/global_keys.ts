/** The keys that work on every screen. */

import { useLocation } from "wouter";
import { type KeyAction, useKeys } from "@/keyboard/registry";
import { cyclePanes } from "@/shell/focus";
import { PLACES } from "@/shell/places";

/** The name of the scope of these keys, in the palette and the cheat sheet. */
export const EVERYWHERE = "Everywhere";

interface Globals {
  readonly onPalette: () => void;
  readonly onCheatSheet: () => void;
  readonly onSidebar: () => void;
}

/** Register what works everywhere. */
export function useGlobalKeys({ onPalette, onCheatSheet, onSidebar }: Globals): void {
  const [, go] = useLocation();
  const places: KeyAction[] = PLACES.map(({ href, name, keys }) => ({
    keys,
    label: `Go to ${name.toLowerCase()}`,
    run: () => go(href),
  }));
  useKeys(EVERYWHERE, [
    { keys: "Mod+k", label: "Commands", run: onPalette, isAlways: true },
    { keys: "?", label: "All keys", run: onCheatSheet },
    { keys: "g n", label: "New thread", run: () => go("/new") },
    ...places,
    { keys: "[", label: "Narrow or widen the sidebar", run: onSidebar },
    { keys: "F6", label: "Next pane", run: () => cyclePanes(1), isAlways: true },
    { keys: "Shift+F6", label: "Pane before", run: () => cyclePanes(-1), isAlways: true },
  ]);
}
