/** The status of a file of agents, flows or templates: whether it can be used. */

import type { ReactNode } from "react";
import { Status } from "@/ui/Status";

interface Props {
  readonly isBroken: boolean;
  readonly isHidden?: boolean;
  readonly isTrusted?: boolean | null | undefined;
  /** Shown for a file that can be used. */
  readonly children: ReactNode;
}

/** Show what is in the way of a file's use, if anything is. */
export function FileStatus({ isBroken, isHidden = false, isTrusted, children }: Props) {
  if (isBroken) {
    return <Status status="failed" word="broken" />;
  }
  if (isHidden) {
    return <span className="dim">hidden</span>;
  }
  return isTrusted === false ? <Status status="waiting" word="not trusted" /> : children;
}
