/** The addresses of the page; each screen is loaded when it is first shown. */

import { Loader } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Empty } from "@/ui/Empty";
import { Fallback } from "@/ui/Fallback";

const SCREENS = [
  { path: "/", Screen: lazy(() => import("@/screens/inbox")) },
  { path: "/threads", Screen: lazy(() => import("@/screens/threads")) },
  { path: "/new", Screen: lazy(() => import("@/screens/new_thread")) },
  { path: "/threads/:thread/compare", Screen: lazy(() => import("@/screens/compare")) },
  {
    path: "/threads/:thread/plan-files/:which?",
    Screen: lazy(() => import("@/screens/plan_files")),
  },
  { path: "/threads/:thread/tasks/:task/review", Screen: lazy(() => import("@/screens/review")) },
  { path: "/threads/:thread/tasks/:task", Screen: lazy(() => import("@/screens/task")) },
  { path: "/threads/:thread", Screen: lazy(() => import("@/screens/thread")) },
  { path: "/flows/:name?", Screen: lazy(() => import("@/screens/flows")) },
  { path: "/flow-runs/:run", Screen: lazy(() => import("@/screens/flow_run")) },
  { path: "/queue", Screen: lazy(() => import("@/screens/queue")) },
  { path: "/schedules", Screen: lazy(() => import("@/screens/schedules")) },
  { path: "/templates", Screen: lazy(() => import("@/screens/templates")) },
  { path: "/agents/:name?", Screen: lazy(() => import("@/screens/agents")) },
  { path: "/report", Screen: lazy(() => import("@/screens/report")) },
  { path: "/settings", Screen: lazy(() => import("@/screens/settings")) },
] as const;

/** Show the screen of the present address. */
export function Routes() {
  return (
    <Suspense fallback={<Loader m="xl" size="sm" role="status" aria-label="Loading" />}>
      <Switch>
        {SCREENS.map(({ path, Screen }) => (
          <Route key={path} path={path}>
            <Fallback key={path}>
              <Screen />
            </Fallback>
          </Route>
        ))}
        <Route>
          <Empty title="There is nothing at this address" text="The inbox is the page's home.">
            <a href="/">Open the inbox</a>
          </Empty>
        </Route>
      </Switch>
    </Suspense>
  );
}
