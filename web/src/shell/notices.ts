/** What is new in the inbox, and how it is announced; pure. */

import type { Schemas } from "@/api/client";
import type { Notice } from "@/ui/desktop";
import { cardOfItem, kindLabelOf } from "../ui/inbox_items.ts";

type InboxItem = Schemas["InboxItem"];

/** Return the items that were not there before; nothing is new at the first look. */
export function newItems(
  before: readonly InboxItem[] | null,
  now: readonly InboxItem[],
): readonly InboxItem[] {
  if (before === null) {
    return [];
  }
  const known = new Set(before.map((item) => item.item_id));
  return now.filter((item) => !known.has(item.item_id));
}

/** Tell whether a gate has been closed since. */
export function isGateClosed(
  before: readonly InboxItem[] | null,
  now: readonly InboxItem[],
): boolean {
  const open = new Set(now.map((item) => item.item_id));
  return (before ?? []).some((item) => item.kind === "gate" && !open.has(item.item_id));
}

/** Return one notice for each thread or run that something new waits in. */
export function noticesOf(items: readonly InboxItem[]): readonly Notice[] {
  const byTop = new Map<string, InboxItem[]>();
  for (const item of items) {
    const top = item.thread_id ?? item.run_id ?? item.workflow_id;
    byTop.set(top, [...(byTop.get(top) ?? []), item]);
  }
  return [...byTop].flatMap(([top, of]) => {
    const newest = of.at(-1);
    if (newest === undefined) {
      return [];
    }
    const more = of.length > 1 ? ` (and ${of.length - 1} more)` : "";
    return [
      {
        tag: `treadle-${top}`,
        title: newest.title || "Treadle",
        text: `${question(newest)}${more}`,
        href: cardOfItem(newest),
      },
    ];
  });
}

function question(item: InboxItem): string {
  return [kindLabelOf(item).word, item.subject].filter(Boolean).join(": ");
}

/** Say what is new, for those who listen. */
export function announcementOf(items: readonly InboxItem[]): string {
  const [first] = items;
  if (first === undefined) {
    return "";
  }
  return items.length === 1
    ? `New in the inbox: ${first.title}, ${question(first)}`
    : `${items.length} new in the inbox`;
}
