/** The end of a talk while the agent works: what it does, and for how long. */

import { LoaderCircle } from "lucide-react";
import type { Item, OpenTurn } from "@/live/fold/items";
import { clipped } from "@/live/fold/wording";
import classes from "@/transcript/transcript.module.css";
import { Elapsed } from "@/ui/Ago";

interface Props {
  readonly open: OpenTurn | null;
  readonly last: Item | undefined;
}

/** Say what the agent does now. */
export function Working({ open, last }: Props) {
  return (
    <div className={classes.working} role="status">
      <LoaderCircle size={14} className={classes.turning} aria-hidden />
      <span>{open?.isStopping ? "stopping" : doing(last)}</span>
      {open !== null && <Elapsed from={open.at} to={null} />}
    </div>
  );
}

function doing(last: Item | undefined): string {
  if (last?.kind === "tool" && last.endedAt === null) {
    return clipped(last.title, 80);
  }
  if (last?.kind === "delay" && last.ended === "") {
    return `waits for ${last.provider}`;
  }
  if (last?.kind === "speech") {
    return last.isThought ? "thinks" : "writes";
  }
  return "works";
}
