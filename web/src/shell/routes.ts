/** The table of screens: an entry here and its folder in `screens/` are all that a screen needs. */

import {
  Bot,
  CalendarClock,
  ChartColumn,
  Inbox,
  LayoutTemplate,
  Lightbulb,
  ListOrdered,
  ListTree,
  Server,
  Settings,
  Workflow,
} from "lucide-react";
import type { ScreenRoute } from "@/shell/addresses";

/**
 * All screens; those with an icon are in the sidebar, in this order.
 *
 * The build lists their paths for the API, which answers them with the page (vite.config.ts).
 */
export const SCREENS: readonly ScreenRoute[] = [
  { path: "/", name: "Inbox", keys: "g i", Icon: Inbox, load: () => import("@/screens/inbox") },
  {
    path: "/threads",
    name: "Threads",
    keys: "g t",
    Icon: ListTree,
    load: () => import("@/screens/threads"),
  },
  { path: "/new", name: "New thread", keys: "g n", load: () => import("@/screens/new_thread") },
  { path: "/threads/:thread/compare", load: () => import("@/screens/compare") },
  { path: "/threads/:thread/plan-files/:which?", load: () => import("@/screens/plan_files") },
  { path: "/threads/:thread/tasks/:task/review", load: () => import("@/screens/review") },
  { path: "/threads/:thread/tasks/:task", load: () => import("@/screens/task") },
  { path: "/threads/:thread", load: () => import("@/screens/thread") },
  {
    path: "/flows/:name?",
    name: "Flows",
    keys: "g f",
    Icon: Workflow,
    load: () => import("@/screens/flows"),
  },
  { path: "/flow-runs/:run", parent: "/flows", load: () => import("@/screens/flow_run") },
  {
    path: "/queue",
    name: "Queue",
    keys: "g q",
    Icon: ListOrdered,
    load: () => import("@/screens/queue"),
  },
  {
    path: "/schedules",
    name: "Schedules",
    keys: "g s",
    Icon: CalendarClock,
    load: () => import("@/screens/schedules"),
  },
  {
    path: "/templates",
    name: "Templates",
    keys: "g p",
    Icon: LayoutTemplate,
    load: () => import("@/screens/templates"),
  },
  {
    path: "/agents/:name?",
    name: "Agents",
    keys: "g a",
    Icon: Bot,
    load: () => import("@/screens/agents"),
  },
  {
    path: "/learnings",
    name: "Learnings",
    keys: "g l",
    Icon: Lightbulb,
    load: () => import("@/screens/learnings"),
  },
  {
    path: "/hosts",
    name: "Hosts",
    keys: "g h",
    Icon: Server,
    isForSeveralHosts: true,
    load: () => import("@/screens/hosts"),
  },
  {
    path: "/report",
    name: "Report",
    keys: "g r",
    Icon: ChartColumn,
    load: () => import("@/screens/report"),
  },
  { path: "/device/:code?", parent: "/settings", load: () => import("@/screens/device") },
  {
    path: "/settings",
    name: "Settings",
    keys: "g ,",
    Icon: Settings,
    load: () => import("@/screens/settings"),
  },
];
