/** The keys that work on every screen. */

import { useLocation } from "wouter";
import { type KeyAction, useKeys } from "@/keyboard/registry";
import { hrefOf, type ScreenRoute } from "@/shell/addresses";
import { cyclePanes } from "@/shell/focus";

/** The name of the scope of these keys, in the palette and the cheat sheet. */
export const EVERYWHERE = "Everywhere";

interface Globals {
  readonly screens: readonly ScreenRoute[];
  readonly onPalette: () => void;
  readonly onCheatSheet: () => void;
  readonly onSidebar: () => void;
}

/** Register what works everywhere. */
export function useGlobalKeys({ screens, onPalette, onCheatSheet, onSidebar }: Globals): void {
  const [, go] = useLocation();
  const places = screens.flatMap((screen): readonly KeyAction[] => {
    const { name = "", keys, Icon } = screen;
    const label = Icon ? `Go to ${name.toLowerCase()}` : name;
    return keys ? [{ keys, label, run: () => go(hrefOf(screen)) }] : [];
  });
  useKeys(EVERYWHERE, [
    { keys: "Mod+k", label: "Commands", run: onPalette, isAlways: true },
    { keys: "?", label: "Keyboard shortcuts", run: onCheatSheet },
    ...places,
    { keys: "[", label: "Collapse or expand sidebar", run: onSidebar },
    { keys: "F6", label: "Next pane", run: () => cyclePanes(1), isAlways: true },
    { keys: "Shift+F6", label: "Previous pane", run: () => cyclePanes(-1), isAlways: true },
  ]);
}
