/** Which state of a task's work this browser has shown last, so that only what came since can be shown. */

import { useEffect, useState } from "react";

/**
 * Return the commit that was shown before this one; null where there is none.
 *
 * One that is read to its end counts as shown from then on.
 */
export function useLooked(
  threadId: string,
  taskId: string,
  commit: string | null,
  isRead: boolean,
): string | null {
  const key = `treadle.looked.${threadId}.${taskId}`;
  const [seen, setSeen] = useState(() => ({ commit, before: localStorage.getItem(key) }));
  if (seen.commit !== commit) {
    setSeen({ commit, before: seen.commit ?? seen.before });
  }
  useEffect(() => {
    if (isRead && commit !== null) {
      localStorage.setItem(key, commit);
    }
  }, [key, commit, isRead]);
  return seen.before === commit ? null : seen.before;
}
