/** Reads and writes addresses of the page; pure. */

/** Return the name that a part of an address holds; what is no valid escape stands for itself. */
export function nameIn(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Return the address of a file among a thread's changes; `of` is `tasks/ID`, `session-2`, or empty for all. */
export function changeAddress(threadId: string, of: string, file = ""): string {
  const query = new URLSearchParams({ panel: "changes" });
  if (of !== "") {
    query.set("of", of);
  }
  if (file !== "") {
    query.set("file", file);
  }
  return `/threads/${threadId}?${query}`;
}

/** Return a query with some parameters set; null removes one. */
export function withParams(
  query: URLSearchParams,
  change: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) {
      next.delete(name);
    } else {
      next.set(name, value);
    }
  }
  return next;
}
