/** The places of the page, with their keys. */

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
