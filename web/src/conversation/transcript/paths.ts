/** Paths as people name them; pure. */

const WORKTREE = /^.*\/worktrees\/[^/]+\/[^/]+\//;

/** Return a path within its worktree; one of elsewhere stays whole. */
export function shortPath(path: string): string {
  return path.replace(WORKTREE, "");
}
