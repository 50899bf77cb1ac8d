/** Starts the page: styles, the kit, the query cache, and the routes. */

import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "@/ui/style/tokens.css";
import "@/ui/style/mantine.css";
import "@/ui/style/app.css";
import "@/ui/style/touch.css";

import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Problem } from "@/api/client";
import { watchKeys } from "@/keyboard/presses";
import { startKeys } from "@/keyboard/registry";
import { SCREENS } from "@/shell/routes";
import { Shell } from "@/shell/Shell";
import { Fallback } from "@/ui/Fallback";
import { watchParts } from "@/ui/reload";
import { theme } from "@/ui/style/theme";

const AGAIN_MS = 5_000;

/** An engine that is away comes back: what failed for that reason is asked for again by itself. */
function isPassing(error: Error | null): boolean {
  return error instanceof Problem && (error.status === 0 || error.status >= 500);
}

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      refetchInterval: ({ state }) => isPassing(state.error) && AGAIN_MS,
      retry: (count, error) => !(error instanceof Problem && error.status > 0) && count < 2,
    },
  },
});

watchParts();
watchKeys();
startKeys();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <QueryClientProvider client={queries}>
          <Fallback>
            <Shell screens={SCREENS} />
          </Fallback>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
