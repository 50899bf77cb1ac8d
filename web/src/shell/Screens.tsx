/** The screen of the present address; each is loaded when it is first shown. */

import { Loader } from "@mantine/core";
import { lazy, memo, Suspense, useState } from "react";
import { Route, Switch } from "wouter";
import type { ScreenRoute } from "@/shell/addresses";
import { Empty } from "@/ui/Empty";
import { Fallback } from "@/ui/Fallback";

interface Props {
  readonly screens: readonly ScreenRoute[];
}

/** Show it; what changes in the frame around it draws nothing of it again. */
export const Screens = memo(function Screens({ screens }: Props) {
  const [routes] = useState(() => screens.map(({ path, load }) => ({ path, Screen: lazy(load) })));
  return (
    <Suspense fallback={<Loader m="xl" size="sm" role="status" aria-label="Loading" />}>
      <Switch>
        {routes.map(({ path, Screen }) => (
          <Route key={path} path={path}>
            <Fallback key={path}>
              <Screen />
            </Fallback>
          </Route>
        ))}
        <Route>
          <Empty title="Page not found" text="There is nothing at this address.">
            <a href="/">Go to the inbox</a>
          </Empty>
        </Route>
      </Switch>
    </Suspense>
  );
});
