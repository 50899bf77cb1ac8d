/** Finds of the full-text search: where each leads, and how it reads; pure. */

import type { Schemas } from "@/api/client";

type Find = Schemas["Find"];

/** Return the address of the conversation that a find is in. */
export function addressOf({ top, stream }: Pick<Find, "top" | "stream">): string {
  if (top.startsWith("flow-")) {
    return `/flow-runs/${top}`;
  }
  const [first = "", second = ""] = stream.slice(top.length + 1).split("/");
  if (first === "") {
    return `/threads/${top}`;
  }
  if (/^session-\d+$/.test(first)) {
    return `/threads/${top}?session=${first}`;
  }
  const session = /^session-\d+$/.test(second) ? `?session=${second}` : "";
  return `/threads/${top}/tasks/${first}${session}`;
}

/** Return an excerpt as one text. */
export function excerptOf({ excerpt }: Pick<Find, "excerpt">): string {
  return excerpt.map(({ text }) => text).join("");
}

const SPEAKERS: Readonly<Record<Find["speaker"], string>> = {
  person: "",
  agent: "agent",
  thought: "agent, thinking",
  tool: "tool",
  treadle: "",
};

/** Say whose words a find is, and where. */
export function sourceOf({ by, speaker, title }: Pick<Find, "by" | "speaker" | "title">): string {
  return [by || SPEAKERS[speaker], title].filter((word) => word !== "").join(" · ");
}
