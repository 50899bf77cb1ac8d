/** What of a thread is shown, as the address holds it; pure. */

/** The parts that can stand beside the conversation. */
export const PANELS = [
  "plan",
  "work",
  "graph",
  "table",
  "timeline",
  "changes",
  "request",
  "files",
  "terminals",
] as const;

/** A part beside the conversation. */
export type PanelName = (typeof PANELS)[number];

/** Which session, which panel, which moment. */
export interface Shown {
  /** The session's short name: `session-2`; null leaves the choice to the screen. */
  readonly session: string | null;
  /** `none` closes the side; null leaves the choice to the screen. */
  readonly panel: PanelName | "none" | null;
  readonly at: number | null;
}

/** Read the address. */
export function shownOf(query: URLSearchParams): Shown {
  const at = Number(query.get("at") ?? "");
  const panel = query.get("panel");
  return {
    session: query.get("session")?.split("/").at(-1) ?? null,
    panel: panel === "none" ? "none" : (PANELS.find((each) => each === panel) ?? null),
    at: Number.isInteger(at) && at > 0 ? at : null,
  };
}
