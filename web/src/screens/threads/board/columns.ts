/** Which card stands in which column of the board, and where; pure. */

import type { Schemas } from "@/api/client";
import type { ThreadFilters } from "@/api/thread_news";
import { kindLabelOf, subjectOf } from "../../../ui/inbox_items.ts";

type ThreadLine = Schemas["ThreadLine"];
type EntryView = Schemas["EntryView"];

/** A column, as the API names it. */
export type ColumnName = Schemas["Column"];

/** A card: a thread, or an entry of the queue that has not started. */
export type Item =
  | { readonly id: string; readonly line: ThreadLine; readonly entry?: undefined }
  | { readonly id: string; readonly entry: EntryView; readonly line?: undefined };

/** What a column is called, and what is said while it is empty. */
export interface ColumnShape {
  readonly name: ColumnName;
  readonly title: string;
  readonly none: string;
}

/** The columns from the left. */
export const COLUMNS: readonly ColumnShape[] = [
  { name: "planned", title: "Planned", none: "Nothing is queued." },
  { name: "running", title: "Running", none: "No agent is working." },
  { name: "waiting", title: "Needs you", none: "Nothing needs you." },
  { name: "in_review", title: "In review", none: "Nothing is waiting to be merged." },
  { name: "merged", title: "Merged", none: "Nothing merged yet." },
  { name: "closed", title: "Closed", none: "Nothing closed without a merge." },
];

/** The columns with their cards. */
export type Board = Readonly<Record<ColumnName, readonly Item[]>>;

/** Where threads stay as they come and go: the others have the latest changed first. */
const STEADY: ReadonlySet<ColumnName> = new Set(["running"]);

const ENDED: ReadonlySet<ColumnName> = new Set(["merged", "closed"]);

/**
 * Return the column of a thread: what the inbox has of it needs somebody, even while its agents go on.
 *
 * `asked` are the threads in the inbox, as the sidebar groups by them, too.
 */
export function columnOf(line: ThreadLine, asked: Asked): ColumnName {
  return asked.has(line.thread_id) && !ENDED.has(line.column) ? "waiting" : line.column;
}

/** The threads of which somebody is asked something. */
type Asked = Pick<ReadonlySet<string>, "has">;

type Asking = Schemas["InboxItem"];

/** Return what the inbox asks of each thread, in a few words: that which waits longest. */
export function askedOf(items: readonly Asking[]): ReadonlyMap<string, string> {
  const asked = new Map<string, string>();
  for (const item of items) {
    const own = item.thread_id ? [item.thread_id] : [];
    for (const thread of [...own, ...(item.held_threads ?? [])]) {
      if (!asked.has(thread)) {
        asked.set(thread, subjectOf(item) || kindLabelOf(item).word);
      }
    }
  }
  return asked;
}

/** Tell whether an entry of the queue is among what the board is narrowed to. */
export function isEntryAmong({ entry }: EntryView, filters: ThreadFilters): boolean {
  const { q = "", project, status, archived } = filters;
  const text = `${entry.entry_id} ${entry.title}`.toLowerCase();
  return (
    status === undefined &&
    archived !== true &&
    (project === undefined || entry.project === project || entry.project.endsWith(`/${project}`)) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}

/** Return the board: what waits in the queue first, in its order, then threads. */
export function boardOf(
  lines: readonly ThreadLine[],
  entries: readonly EntryView[],
  asked: Asked,
): Board {
  const board = Object.fromEntries(COLUMNS.map(({ name }) => [name, [] as Item[]])) as Record<
    ColumnName,
    Item[]
  >;
  for (const line of lines) {
    board[columnOf(line, asked)].push({ id: line.thread_id, line });
  }
  for (const name of STEADY) {
    board[name].sort(
      (one, other) => openedAt(other) - openedAt(one) || (one.id < other.id ? -1 : 1),
    );
  }
  const threads = new Set(lines.map((line) => line.thread_id));
  const queued = entries.filter(({ entry }) => !threads.has(entry.entry_id));
  board.planned.unshift(...queued.map((entry) => ({ id: entry.entry.entry_id, entry })));
  return board;
}

/** Return a board in which a column that is as it was before is the same: nothing is drawn again for it. */
export function steadied(board: Board, before: Board): Board {
  const isSame = (name: ColumnName) =>
    board[name].length === before[name].length &&
    board[name].every(({ line, entry }, place) => {
      const old = before[name][place];
      return old?.line === line && old?.entry === entry;
    });
  return Object.fromEntries(
    COLUMNS.map(({ name }) => [name, isSame(name) ? before[name] : board[name]]),
  ) as unknown as Board;
}

function openedAt({ line }: Item): number {
  return Date.parse(line?.opened_at ?? "") || 0;
}

/** Return entries with one of them at another place, as it will be once the queue has moved it. */
export function reordered(
  entries: readonly EntryView[],
  id: string,
  place: number,
): readonly EntryView[] {
  const moved = entries.find(({ entry }) => entry.entry_id === id);
  const others = entries.filter((view) => view !== moved);
  return moved === undefined ? entries : others.toSpliced(place, 0, moved);
}
