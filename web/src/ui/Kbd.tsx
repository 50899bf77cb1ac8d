/** A shortcut as it is typed on this machine. */

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** Show keys such as `Mod+Enter`. */
export function Kbd({ keys }: { readonly keys: string }) {
  const shown = keys.replace("Mod", IS_MAC ? "⌘" : "Ctrl").replace("Enter", "↵");
  return <kbd className="dim">{shown}</kbd>;
}
