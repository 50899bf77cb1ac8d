/** Why planning ended without a plan: what happened in short, and what was wrong as a list; pure. */

export interface PlanningFailure {
  readonly short: string;
  /** What stands before the list, empty where there is no more than the short text. */
  readonly cause: string;
  readonly problems: readonly string[];
}

const LAST = "; the last reason: ";

/** Take a reason apart, which is one line: of a refused plan, its problems run together in it. */
export function planningFailureOf(reason: string): PlanningFailure {
  const [short = "", ...rest] = reason.split(LAST);
  const last = rest.join(LAST);
  const at = last.indexOf(": - ");
  if (at < 0) {
    return { short, cause: last, problems: [] };
  }
  const cause = last
    .slice(0, at)
    .replace(/; fix all of them and propose the whole plan again$/, "");
  const problems = last.slice(at + 4).split(/ - (?=(?:the |a )?[a-z_]+[ :])/);
  return { short, cause, problems };
}
