/** What the addresses of the page show; pure. */

import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";

/** A screen: where it is, and how the sidebar, the palette and the keyboard lead there. */
export interface ScreenRoute {
  readonly path: string;
  /** Left out where the screen is called after what it shows. */
  readonly name?: string;
  readonly keys?: string;
  /** Set for the places of the sidebar. */
  readonly Icon?: LucideIcon;
  /** The place it belongs to, where its path does not begin with it. */
  readonly parent?: string;
  /** Left out of the sidebar while there is one host, unless it is shown. */
  readonly isForSeveralHosts?: boolean;
  readonly load: () => Promise<{ default: ComponentType }>;
}

/** Return the address of a screen without its parameters: `/flows` of `/flows/:name?`. */
export function hrefOf({ path }: ScreenRoute): string {
  return path.replace(/\/:.*$/, "");
}

/** Return the screens that have a first part in common with an address. */
function screensAt(path: string, screens: readonly ScreenRoute[]): readonly ScreenRoute[] {
  return screens.filter((screen) => screen.path.split("/")[1] === path.split("/")[1]);
}

/** Return the address of the place in the sidebar that an address belongs to, if any. */
export function placeOf(path: string, screens: readonly ScreenRoute[]): string | null {
  const there = screensAt(path, screens);
  const place = there.find((screen) => screen.Icon);
  return place ? hrefOf(place) : (there.find((screen) => screen.parent)?.parent ?? null);
}

/** Return the screens of the sidebar, at an address. */
export function sidebarOf(
  path: string,
  screens: readonly ScreenRoute[],
  hosts: number,
): readonly ScreenRoute[] {
  return screens.filter(
    (screen) => screen.Icon && (!screen.isForSeveralHosts || hosts > 1 || hrefOf(screen) === path),
  );
}

/** Return the id of the thread or flow run that an address shows, if any. */
export function shownId(path: string): string | null {
  return /^\/(?:threads|flow-runs)\/([^/]+)/.exec(path)?.[1] ?? null;
}

/** Return the title of a window at this address; `topic` is the shown thread's or run's. */
export function titleOf(path: string, topic: string, screens: readonly ScreenRoute[]): string {
  const task = /^\/threads\/[^/]+\/tasks\/([^/]+)/.exec(path)?.[1];
  const place = placeOf(path, screens) ?? path;
  const name = screensAt(place, screens).find((screen) => screen.name)?.name ?? "Treadle";
  return [task, topic === "" ? name : topic].filter((part) => part !== undefined).join(" · ");
}
