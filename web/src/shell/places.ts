/** The places of the page, with their keys; and what each address is called. */

import {
  Bot,
  CalendarClock,
  ChartColumn,
  Inbox,
  LayoutTemplate,
  ListOrdered,
  ListTree,
  type LucideIcon,
  Settings,
  Workflow,
} from "lucide-react";

/** A place that the sidebar and the palette lead to. */
export interface Place {
  readonly href: string;
  readonly name: string;
  readonly keys: string;
  readonly Icon: LucideIcon;
}

/** The places, in the order of the sidebar. */
export const PLACES: readonly Place[] = [
  { href: "/", name: "Inbox", keys: "g i", Icon: Inbox },
  { href: "/threads", name: "Threads", keys: "g t", Icon: ListTree },
  { href: "/flows", name: "Flows", keys: "g f", Icon: Workflow },
  { href: "/queue", name: "Queue", keys: "g q", Icon: ListOrdered },
  { href: "/schedules", name: "Schedules", keys: "g s", Icon: CalendarClock },
  { href: "/templates", name: "Templates", keys: "g p", Icon: LayoutTemplate },
  { href: "/agents", name: "Agents", keys: "g a", Icon: Bot },
  { href: "/report", name: "Report", keys: "g r", Icon: ChartColumn },
  { href: "/settings", name: "Settings", keys: "g ,", Icon: Settings },
];

/** Return the place that an address belongs to. */
export function placeOf(path: string): Place | undefined {
  if (path.startsWith("/flow-runs/")) {
    return placeOf("/flows");
  }
  return PLACES.find(({ href }) =>
    href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`),
  );
}

/** Return the id of the thread or flow run that an address shows, if any. */
export function shownId(path: string): string | null {
  return /^\/(?:threads|flow-runs)\/([^/]+)/.exec(path)?.[1] ?? null;
}

/** Return what a window at this address is called; `topic` is the shown thread's or run's. */
export function titleOf(path: string, topic: string): string {
  const task = /^\/threads\/[^/]+\/tasks\/([^/]+)/.exec(path)?.[1];
  const name = path === "/new" ? "New thread" : (placeOf(path)?.name ?? "Treadle");
  const parts = [task, topic === "" ? name : topic].filter((part) => part !== undefined);
  return parts.join(" · ");
}
