/** Which requests wait for a person; pure. */

import type { Schemas } from "@/api/client";
import { keyOf } from "@/api/overtaken";

type Item = Pick<Schemas["InboxItem"], "thread_id" | "request" | "requests" | "amendment">;

/** Return the keys of all that an inbox asks to approve. */
export function requestsOf(items: readonly Item[]): ReadonlySet<string> {
  const keys = items.flatMap(({ thread_id: thread, request, requests, amendment }) =>
    [request, amendment?.request, ...requests].flatMap((asked) =>
      asked ? [keyOf(thread ?? "", asked.request_id)] : [],
    ),
  );
  return new Set(keys);
}
