/** What the addresses of the page mean; pure. */

const NAMES: Readonly<Record<string, string>> = {
  "/": "Inbox",
  "/threads": "Threads",
  "/new": "New thread",
  "/flows": "Flows",
  "/queue": "Queue",
  "/schedules": "Schedules",
  "/templates": "Templates",
  "/agents": "Agents",
  "/report": "Report",
  "/settings": "Settings",
};

/** Return the address of the place in the sidebar that an address belongs to, if any. */
export function placeOf(path: string): string | null {
  const [first = ""] = path.split("/").slice(1);
  const place = first === "flow-runs" ? "/flows" : `/${first}`;
  return place in NAMES && place !== "/new" ? place : null;
}

/** Return the id of the thread or flow run that an address shows, if any. */
export function shownId(path: string): string | null {
  return /^\/(?:threads|flow-runs)\/([^/]+)/.exec(path)?.[1] ?? null;
}

/** Return the name that a part of an address holds; what is no valid escape stands for itself. */
export function nameIn(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Return what a window at this address is called; `topic` is the shown thread's or run's. */
export function titleOf(path: string, topic: string): string {
  const task = /^\/threads\/[^/]+\/tasks\/([^/]+)/.exec(path)?.[1];
  const name = NAMES[path === "/new" ? path : (placeOf(path) ?? "")] ?? "Treadle";
  return [task, topic === "" ? name : topic].filter((part) => part !== undefined).join(" · ");
}
