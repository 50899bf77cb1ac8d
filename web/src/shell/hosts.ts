/** How many hosts there are; the inbox is read again when one falls silent or answers again. */

import { useEffect, useRef } from "react";
import { useRefresh } from "@/api/queries";
import { useHosts } from "@/api/resources";
import { silenceKey } from "@/screens/hosts/standing";

/** Return how many hosts there are, and keep the inbox true about those that are silent. */
export function useHostCount(): number {
  const hosts = useHosts().data?.hosts ?? [];
  const refresh = useRefresh(["inbox"]);
  const key = silenceKey(hosts);
  const before = useRef("");
  useEffect(() => {
    if (before.current !== key) {
      before.current = key;
      refresh();
    }
  }, [key, refresh]);
  return hosts.length;
}
