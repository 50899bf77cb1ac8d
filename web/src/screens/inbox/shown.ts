/** What the inbox shows of all that waits, and what its heading says; pure. */

import type { Schemas } from "@/api/client";

type Item = Pick<Schemas["InboxItem"], "item_id" | "is_mine">;

/** Return all, or only the person's own: with the open card, which nobody takes from under a hand. */
export function shownOf<T extends Item>(
  everything: readonly T[],
  isMine: boolean,
  open: string | null,
): readonly T[] {
  return isMine
    ? everything.filter(({ item_id, is_mine }) => is_mine !== false || item_id === open)
    : everything;
}

/** Say how much waits where all is shown, and how much of it for this person. */
export function headingOf(everything: readonly Item[], isMine: boolean): string {
  const mine = everything.filter(({ is_mine }) => is_mine !== false).length;
  const need = `${mine || "nothing"} ${mine > 1 ? "need" : "needs"} you`;
  const isAll = isMine || mine === everything.length;
  return `Inbox · ${isAll ? need : `${everything.length} waiting, ${need}`}`;
}
