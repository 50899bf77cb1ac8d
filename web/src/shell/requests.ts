/** Which requests wait for a person; pure. */

import type { Schemas } from "@/api/client";

type Item = Pick<Schemas["InboxItem"], "request" | "requests" | "amendment">;

/** Return the ids of all that an inbox asks to approve. */
export function requestsOf(items: readonly Item[]): ReadonlySet<string> {
  const asked = items.flatMap(({ request, requests, amendment }) => {
    return [request, amendment?.request, ...requests];
  });
  return new Set(asked.flatMap((request) => (request ? [request.request_id] : [])));
}
