/** The keys that work on every screen. */

import { useMantineColorScheme } from "@mantine/core";
import { useLocation } from "wouter";
import { type KeyAction, setSingleKeys, useKeys, useSingleKeys } from "@/keyboard/registry";
import { hrefOf, type ScreenRoute } from "@/shell/addresses";
import { cyclePanes } from "@/shell/focus";

/** The name of the scope of these keys, in the palette and the cheat sheet. */
export const EVERYWHERE = "Everywhere";

const THEMES = [
  ["light", "light"],
  ["dark", "dark"],
  ["auto", "as the system"],
] as const;

interface Globals {
  readonly screens: readonly ScreenRoute[];
  readonly onPalette: () => void;
  readonly onCheatSheet: () => void;
  readonly onSidebar: () => void;
}

/** Register what works everywhere. */
export function useGlobalKeys({ screens, onPalette, onCheatSheet, onSidebar }: Globals): void {
  const [, go] = useLocation();
  // it stops transitions by a style whose text the page's policy (Trusted Types) refuses
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const hasKeys = useSingleKeys();
  const places = screens.flatMap((screen): readonly KeyAction[] => {
    const { name = "", keys, Icon } = screen;
    const label = Icon ? `Go to ${name.toLowerCase()}` : name;
    return keys ? [{ keys, label, run: () => go(hrefOf(screen)) }] : [];
  });
  useKeys(EVERYWHERE, [
    { keys: "Mod+k", label: "Commands", run: onPalette, isAlways: true },
    { keys: "?", label: "Keyboard shortcuts", run: onCheatSheet },
    ...places,
    ...THEMES.map(([scheme, label]) => ({
      keys: "",
      label: `Theme: ${label}`,
      run: () => setColorScheme(scheme),
    })),
    {
      keys: "",
      label: hasKeys ? "Turn off single-key shortcuts" : "Turn on single-key shortcuts",
      run: () => setSingleKeys(!hasKeys),
    },
    { keys: "[", label: "Collapse or expand sidebar", run: onSidebar },
    { keys: "F6", label: "Next pane", run: () => cyclePanes(1), isAlways: true },
    { keys: "Shift+F6", label: "Previous pane", run: () => cyclePanes(-1), isAlways: true },
  ]);
}
