/** The child threads of a plan: where each stands, and what waits for a person. */

import { Link } from "wouter";
import type { ThreadView } from "@/plan/models";
import { Status } from "@/ui/Status";

/** List child threads; nothing where a plan has none. */
export function Children({ thread }: { readonly thread: ThreadView }) {
  if (thread.children.length === 0) {
    return null;
  }
  return (
    <ul aria-label="Child threads">
      {thread.children.map((child) => (
        <li key={child.thread_id}>
          <Link href={`/threads/${child.thread_id}`}>{child.task_id}</Link>{" "}
          <Status status={child.report?.status ?? "starting"} />
        </li>
      ))}
    </ul>
  );
}
