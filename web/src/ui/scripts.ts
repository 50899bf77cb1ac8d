/** The scripts that the page starts beside itself, which its policy (Trusted Types) lets it name. */

import colours from "@/ui/background/worker.ts?worker&url";

/** Shows news while the page is closed. */
export const NEWS_WORKER = "/news-worker.js";

/** Colours code and compares texts. */
export const BACKGROUND_WORKER: string = colours;

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

let policy: { createScriptURL(url: string): string } | undefined;

function allowed(url: string): string {
  if (url !== NEWS_WORKER && url !== BACKGROUND_WORKER) {
    throw new TypeError(`not a script of the page: ${url}`);
  }
  return url;
}

/** Return the address of a script as `new Worker` and service workers take it. */
export function trustedScript(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  policy ??= trustedTypes?.createPolicy("treadle-scripts", { createScriptURL: allowed });
  return policy?.createScriptURL(url) ?? allowed(url);
}
