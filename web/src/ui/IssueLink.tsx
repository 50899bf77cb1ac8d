/** The issue of a tracker that work comes from. */

import type { Schemas } from "@/api/client";
import { takesSession } from "@/ui/own_host";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly issue: Schemas["IssueLink"];
  readonly tabIndex?: number;
}

/** Link an issue; an address that is no web address stays text. */
export function IssueLink({ issue, tabIndex }: Props) {
  const name = <Safe text={issue.key || "issue"} />;
  const url = issue.url ?? "";
  if (!/^https?:\/\//.test(url) || takesSession(url)) {
    return <span>{name}</span>;
  }
  return (
    <a href={issue.url} target="_blank" rel="noopener noreferrer nofollow" tabIndex={tabIndex}>
      {name}
    </a>
  );
}
