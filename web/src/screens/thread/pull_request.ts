/** What is shown of a watched pull request; pure. */

import type { Schemas } from "@/api/client";

/** A pull request as the newest look saw it. */
export type WatchedPullRequest = Schemas["WatchedPullRequest"];

/** How a pull request is merged. */
export type MergeMethod = Schemas["MergeMethod"];

/** The ways, in words. */
export const METHODS: readonly { readonly value: MergeMethod; readonly label: string }[] = [
  { value: "merge", label: "Merge commit" },
  { value: "squash", label: "Squash" },
  { value: "rebase", label: "Rebase" },
];

/** Return an address from outside if it may be a link: over TLS, and nothing else. */
export function linkOf(url: string | undefined): string | null {
  return url?.startsWith("https://") ? url : null;
}

/** Return why it cannot be merged now; empty where the forge may be asked. */
export function obstacleOf(found: WatchedPullRequest): string {
  if (/^(merged|closed)$/.test(found.status)) {
    return `It is ${found.status}.`;
  }
  if (!found.is_watched) {
    return "It is not watched: what is shown may be old.";
  }
  if (found.head_commit === "") {
    return "No look has found it yet.";
  }
  return found.is_draft ? "It is a draft: mark it as ready on the forge first." : "";
}

/** What stands between a pull request and its merge. */
export interface Blocker {
  readonly text: string;
  /** Whether the forge or this page refuses a merge because of it; else it only should be looked at. */
  readonly isHard: boolean;
}

const MERGEABLE: Readonly<Record<string, string>> = {
  conflicts: "It conflicts with the target branch.",
  behind: "It is behind the target branch, and the forge requires it to be up to date.",
  blocked: "Required reviews, checks or other rules of the forge are not met yet.",
};

/** Return all that is known to stand in the way of a merge, the hardest first; nothing of one that is over. */
export function blockersOf(found: WatchedPullRequest): readonly Blocker[] {
  if (/^(merged|closed)$/.test(found.status)) {
    return [];
  }
  const hard = [obstacleOf(found), MERGEABLE[found.mergeability] ?? ""];
  const refused = reviewsOf(found).filter(({ state }) => state === "changes_requested");
  const open = found.threads.filter((each) => !each.is_resolved && each.is_resolvable);
  const soft = [
    checksIn(found, "failed", "failed"),
    checksIn(found, "pending", "still running"),
    ...refused.map(({ author }) => `${author.login} requested changes.`),
    open.length > 0 ? `${counted(open.length, "unresolved comment")}.` : "",
  ];
  return [
    ...hard.map((text) => ({ text, isHard: true })),
    ...soft.map((text) => ({ text, isHard: false })),
  ].filter(({ text }) => text !== "");
}

const NAMED = 3;

function checksIn(found: WatchedPullRequest, state: string, words: string): string {
  const names = found.checks.filter((each) => each.state === state).map(({ name }) => name);
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  const listed = names.slice(0, NAMED).join(", ");
  return names.length === 0 ? "" : `${counted(names.length, "check")} ${words}: ${listed}${more}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const CHECK_ORDER = ["failed", "pending", "passed", "skipped"];

/** Return the checks, those that failed first. */
export function sortedChecks(found: WatchedPullRequest): WatchedPullRequest["checks"] {
  const rank = (state: string) => CHECK_ORDER.indexOf(state);
  return found.checks.toSorted((one, other) => rank(one.state) - rank(other.state));
}

/** Return how many of its checks stand how, the worst first: `1 failed, 2 passed`. */
export function checksOf(found: WatchedPullRequest): string {
  const states = ["failed", "pending", "passed", "skipped"] as const;
  return states
    .map((state) => [found.checks.filter((each) => each.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${count} ${state}`)
    .join(", ");
}

/** Return how a receipt stands, as a status and its word. */
export function receiptStatusOf(receipt: Schemas["HeadReceipt"]): {
  readonly status: string;
  readonly word: string;
} {
  if (receipt.is_void) {
    return { status: "failed", word: "receipt void" };
  }
  return receipt.is_verified
    ? { status: "passed", word: "receipt valid" }
    : { status: "unverified", word: "receipt without verification" };
}

/** Return each reviewer's newest review, in the order of their first; a comment takes no verdict back. */
export function reviewsOf(found: WatchedPullRequest): WatchedPullRequest["reviews"] {
  const newest = new Map<string, WatchedPullRequest["reviews"][number]>();
  for (const review of found.reviews) {
    const before = newest.get(review.author.id);
    if (before === undefined || before.state === "commented" || review.state !== "commented") {
      newest.set(review.author.id, review);
    }
  }
  return [...newest.values()];
}

/** A rework as it is listed. */
interface ListedRework {
  readonly number: number;
  readonly status: string;
  readonly word: string;
  readonly subject: string;
  readonly url: string;
  readonly by: string;
  /** What else is known of it: the commit, the reason, the cost. */
  readonly told: string;
}

const STAGES = {
  asking: ["starting", "asked for"],
  running: ["running", "running"],
  done: ["waiting", "not pushed yet"],
  answering: ["running", "being answered"],
} as const;

/** Return all reworks that are known, the newest first. */
export function reworksOf(found: WatchedPullRequest): readonly ListedRework[] {
  const { rework: now } = found;
  const ended = found.ended_reworks.toReversed().map((each) => ({
    number: each.number,
    status: each.commit === "" ? "failed" : "completed",
    word: each.commit === "" ? "not pushed" : "pushed",
    subject: each.subject,
    url: each.url,
    by: each.by,
    told: told(each.commit.slice(0, 12), each.reason, dollars(each.usd)),
  }));
  if (!now) {
    return ended;
  }
  const [status, word] = STAGES[now.stage];
  const { number, by, item, usd } = now;
  const running = { number, status, word, subject: item.subject, url: item.url, by };
  return [{ ...running, told: dollars(usd) }, ...ended];
}

/** Return what all reworks have cost, and what they may cost, to follow a title. */
export function sumOf(found: WatchedPullRequest): string {
  const most = found.policy.max_rework_usd;
  const bound = most > 0 ? ` of ${dollars(most)}` : "";
  return found.rework_usd > 0 || most > 0 ? `: USD ${found.rework_usd.toFixed(2)}${bound}` : "";
}

function told(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

function dollars(usd: number): string {
  return usd > 0 ? `USD ${usd.toFixed(2)}` : "";
}

/** One pull request of a stack. */
export type Layer = Schemas["Layer"];

/** Return where one pull request of a stack stands, in a word. */
export function stateOf(layer: Layer): string {
  if (layer.is_merged) {
    return "merged";
  }
  if (layer.is_closed) {
    return "closed";
  }
  if (layer.trouble !== "") {
    return "waiting";
  }
  return layer.number > 0 ? "open" : "pending";
}
