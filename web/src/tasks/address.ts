/** What the address of the task's screen holds: the tab, the session, the moment. */

import { useCallback } from "react";
import { useSearchParams } from "wouter";
import { withParams } from "@/ui/addresses";

/** The tabs of a task; its conversation is one only where there is no room beside them. */
export const TABS = [
  "conversation",
  "details",
  "verification",
  "plan",
  "files",
  "terminals",
  "ports",
  "learnings",
  "recovery",
] as const;

export type Tab = (typeof TABS)[number];

/** What the address says, and how it is changed. */
export interface Address {
  readonly tab: Tab | null;
  readonly session: string | null;
  readonly at: number | null;
  readonly change: (changed: Readonly<Record<string, string | null>>) => void;
}

/** Return what the address holds; null as a value takes it out. */
export function useAddress(): Address {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (changed: Readonly<Record<string, string | null>>) => {
      setSearch((before) => withParams(before, changed), { replace: true });
    },
    [setSearch],
  );
  const at = Number(search.get("at"));
  return {
    tab: TABS.find((tab) => tab === search.get("tab")) ?? null,
    session: search.get("session"),
    at: Number.isInteger(at) && at > 0 ? at : null,
    change,
  };
}
