/** Starts the page: styles, the kit, the query cache, and the routes. */

import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "@/style/tokens.css";
import "@/style/mantine.css";
import "@/style/app.css";

import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Problem } from "@/api/client";
import { watchKeys } from "@/keys/meant";
import { startKeys } from "@/keys/registry";
import { Routes } from "@/routes";
import { Shell } from "@/shell/Shell";
import { theme } from "@/style/theme";
import { Fallback } from "@/ui/Fallback";

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

const RELOADED = "treadle.reloaded";
const AWAY_MS = 2_000;

/**
 * A part of the page could not be had: it was built anew meanwhile, so take the new page, once.
 *
 * While the engine is away a reload would leave the browser's own error page, so wait for it first.
 */
async function renew(): Promise<void> {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last <= 30_000) {
    return;
  }
  const isThere = await fetch("/v1/health").then(
    (answer) => answer.ok,
    () => false,
  );
  if (!isThere) {
    window.setTimeout(() => void renew(), AWAY_MS);
    return;
  }
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
}

window.addEventListener("vite:preloadError", () => void renew());

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
            <Shell>
              <Routes />
            </Shell>
          </Fallback>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
