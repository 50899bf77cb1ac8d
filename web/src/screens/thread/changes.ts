/** Where a thread's branch is, and what it changes. */

import { get } from "@/api/client";
import { nameOf } from "@/screens/thread/sessions";

/** Ask the host of a thread's repository; of a session only its newest work, where one is named. */
export function fetchChanges(thread: string, session: string) {
  const number = Number(nameOf(session).replace("session-", ""));
  return get("/v1/threads/{thread}/changes", {
    path: { thread },
    query: session === "" ? {} : { session: number },
  });
}
