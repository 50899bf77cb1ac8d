/** The sidebar's lines: threads and runs of flows together, in the order of attention; pure. */

import type { Schemas } from "@/api/client";

/** A thread or a run of a flow as the sidebar shows it. */
export interface SideLine {
  readonly id: string;
  readonly href: string;
  readonly title: string;
  readonly project: string;
  readonly status: string;
  readonly done: number;
  readonly total: number;
  readonly insertions: number;
  readonly deletions: number;
  readonly openedAt: string | null;
  readonly changed: number;
  readonly changedAt: string | null;
  readonly isWorking: boolean;
  readonly isFlow: boolean;
  /** Whether anybody is asked something: the inbox has it, or the status before the inbox is known. */
  readonly isWaiting: boolean;
  /** Whether it is this person that is asked. */
  readonly needsYou: boolean;
}

type Item = Pick<
  Schemas["InboxItem"],
  "thread_id" | "run_id" | "title" | "project" | "since" | "is_mine" | "held_threads"
>;
type ThreadLine = Schemas["ThreadLine"];
type RunLine = Schemas["FlowRunLine"];

const WORKING = new Set(["running", "planning", "starting", "stopping", "verifying", "merging"]);
const WAITING = new Set(["waiting", "needs_decision", "needs_you"]);
const FAILED = new Set(["failed", "blocked"]);

const made = new WeakMap<ThreadLine, SideLine>();

/** Return a thread's line; what it does is said by its column of the board. The same row has the same line. */
export function lineOfThread(line: ThreadLine): SideLine {
  const known = made.get(line) ?? newLine(line);
  made.set(line, known);
  return known;
}

function newLine(line: ThreadLine): SideLine {
  return {
    ...common(line),
    status: line.shown_status || line.status,
    id: line.thread_id,
    href: `/threads/${line.thread_id}`,
    title: line.title || line.goal || line.thread_id,
    done: line.done,
    total: line.total,
    insertions: line.insertions,
    deletions: line.deletions,
    openedAt: line.opened_at ?? null,
    isWorking: line.column === "running",
    isWaiting: line.column === "waiting",
    needsYou: line.column === "waiting",
    isFlow: false,
  };
}

/** Return the line of a thread that no list has, from its own view. */
export function lineOfView(view: Schemas["ThreadView"]): SideLine {
  return {
    id: view.thread_id,
    href: `/threads/${view.thread_id}`,
    title: view.topic || view.goal || view.thread_id,
    project: view.repository,
    status: view.shown_status || view.status,
    done: view.progress.done,
    total: view.progress.total,
    insertions: 0,
    deletions: 0,
    openedAt: view.opened_at ?? null,
    changed: view.position,
    changedAt: view.changed_at ?? null,
    isWorking: WORKING.has(view.status) || view.sessions.some(({ is_working }) => is_working),
    isFlow: false,
    isWaiting: WAITING.has(view.status),
    needsYou: WAITING.has(view.status),
  };
}

/** Return the line of a flow's run. */
export function lineOfRun(line: RunLine): SideLine {
  return {
    ...common(line),
    id: line.run_id,
    href: `/flow-runs/${line.run_id}`,
    title: line.title || line.run_id,
    done: 0,
    total: 0,
    insertions: 0,
    deletions: 0,
    openedAt: null,
    isWorking: WORKING.has(line.status),
    isWaiting: WAITING.has(line.status),
    needsYou: WAITING.has(line.status),
    isFlow: true,
  };
}

function common(line: ThreadLine | RunLine) {
  return {
    project: line.project,
    status: line.status,
    changed: line.changed,
    changedAt: line.changed_at ?? null,
  };
}

/** Return the items that are the person's: all of them where one person is served. */
export function mineOf<T extends Pick<Schemas["InboxItem"], "is_mine">>(items: readonly T[]): T[] {
  return items.filter((item) => item.is_mine !== false);
}

/** Mark the lines that the inbox has an item of, and no others; the person's that no list has are added. */
export function markWaiting(lines: readonly SideLine[], items: readonly Item[]): SideLine[] {
  const waiting = new Set(items.flatMap(idsOf));
  const own = mineOf(items);
  const held = own.flatMap((item) => idsOf(item).map((id) => [id, item] as const));
  const mine = new Map([...held, ...own.map((item) => [lineIdOf(item), item] as const)]);
  const known = new Set(lines.map(({ id }) => id));
  const unlisted = [...mine].filter(
    ([id, item]) => id !== "" && id === lineIdOf(item) && !known.has(id),
  );
  return [
    ...lines.map((line) => marked(line, waiting.has(line.id), mine.has(line.id))),
    ...unlisted.map(([id, item]) => lineOfItem(id, item)),
  ];
}

/** What stays as it was is the same line: nothing is drawn again for it. */
function marked(line: SideLine, isWaiting: boolean, needsYou: boolean): SideLine {
  const isSame = line.isWaiting === isWaiting && line.needsYou === needsYou;
  return isSame ? line : { ...line, isWaiting, needsYou };
}

/** The line that an item is of, and those that wait for it as well: at a monthly limit. */
function idsOf(item: Item): readonly string[] {
  return [lineIdOf(item), ...(item.held_threads ?? [])];
}

function lineIdOf(item: Item): string {
  return item.thread_id ?? item.run_id ?? "";
}

function lineOfItem(id: string, item: Item): SideLine {
  const isFlow = !item.thread_id;
  return {
    id,
    href: `${isFlow ? "/flow-runs" : "/threads"}/${id}`,
    title: item.title || id,
    project: item.project,
    status: "waiting",
    done: 0,
    total: 0,
    insertions: 0,
    deletions: 0,
    openedAt: null,
    changed: 0,
    changedAt: item.since,
    isWorking: false,
    isFlow,
    isWaiting: true,
    needsYou: true,
  };
}

/** Return the status that is shown: a chat whose agent works is running. */
export function shownStatus(line: Pick<SideLine, "status" | "isWorking">): string {
  return line.status === "chat" && line.isWorking ? "running" : line.status;
}

/**
 * Sort by who needs whom: needs you, running, failed, rest; of each the latest changed first.
 *
 * What runs changes all the time, and stays where it is: the latest opened first.
 */
export function sorted(lines: readonly SideLine[]): SideLine[] {
  return [...lines].sort(
    (a, b) => rank(a) - rank(b) || begun(b) - begun(a) || b.changed - a.changed,
  );
}

function begun(line: SideLine): number {
  return rank(line) === 1 ? Date.parse(line.openedAt ?? "") || 0 : 0;
}

function rank(line: SideLine): number {
  if (line.needsYou) {
    return 0;
  }
  if (line.isWorking) {
    return 1;
  }
  return FAILED.has(line.status) ? 2 : 3;
}

/** Lines of the sidebar that belong together, under a heading. */
export interface Group {
  readonly name: string;
  readonly lines: readonly SideLine[];
}

/** Group sorted lines: what is pinned, what needs a person, what runs, and the rest by repository. */
export function grouped(lines: readonly SideLine[], pins: ReadonlySet<string>): readonly Group[] {
  const groups = new Map<string, SideLine[]>();
  for (const name of ["Pinned", "Needs you", "Running"]) {
    groups.set(name, []);
  }
  for (const line of lines) {
    const name = pins.has(line.id)
      ? "Pinned"
      : line.needsYou
        ? "Needs you"
        : line.isWorking
          ? "Running"
          : line.project.split("/").at(-1) || "No repository";
    groups.set(name, [...(groups.get(name) ?? []), line]);
  }
  return [...groups]
    .map(([name, lines]) => ({ name, lines }))
    .filter((group) => group.lines.length > 0);
}

/** The lines of a group that are shown, and how many it has. */
export interface ShownGroup extends Group {
  readonly count: number;
}

/** Cut long groups to their first lines; the one that is open stays, and what is pinned. */
export function shortened(
  groups: readonly Group[],
  most: number,
  open: string | null,
): readonly ShownGroup[] {
  return groups.map((group) => ({
    ...group,
    count: group.lines.length,
    lines: group.lines.filter(
      ({ id }, place) => group.name === "Pinned" || place < most || id === open,
    ),
  }));
}

/** Return the ids of a thread and of those that it opened. */
export function familyOf(view: Schemas["ThreadView"]): readonly string[] {
  return [view.thread_id, ...view.children.map(({ thread_id }) => thread_id)];
}

/** Count what waits for this person in some threads, as the inbox has it. */
export function waitingIn(
  items: readonly Pick<Schemas["InboxItem"], "thread_id" | "is_mine">[],
  threads: readonly string[],
): number {
  return mineOf(items).filter(({ thread_id: thread }) => threads.includes(thread ?? "")).length;
}

/** What a person has looked at: up to which position, of what was there before and by line. */
export interface Seen {
  readonly baseline: number;
  readonly lines: Readonly<Record<string, number>>;
}

/** Tell whether a line has not come to rest: its agents work, or somebody is asked. */
export function isGoingOn(line: SideLine): boolean {
  return line.isWorking || line.isWaiting;
}

/** Tell whether a line came to rest since somebody looked at it last. */
export function isUnread(line: SideLine, seen: Seen): boolean {
  return !isGoingOn(line) && line.changed > Math.max(seen.baseline, seen.lines[line.id] ?? 0);
}

/** Remember that a line was looked at; what is no longer listed is forgotten. */
export function markSeen(seen: Seen, line: SideLine, listed: readonly SideLine[]): Seen {
  const ids = new Set(listed.map((each) => each.id));
  const saved = Object.entries(seen.lines).filter(([id]) => ids.has(id));
  return { ...seen, lines: { ...Object.fromEntries(saved), [line.id]: line.changed } };
}
