/** The end of a conversation while the agent works: what it does, and for how long. */

import { Diamond, LoaderCircle } from "lucide-react";
import type { Item, OpenTurn } from "@/conversation/projection/items";
import classes from "@/conversation/transcript/transcript.module.css";
import { truncate } from "@/format";
import { Elapsed } from "@/ui/Ago";

interface Props {
  readonly open: OpenTurn | null;
  readonly items: readonly Item[];
}

const RECENT = 40;

/** Say what the agent does now. */
export function Working({ open, items }: Props) {
  const isAsking = items.slice(-RECENT).some(isOpenQuestion);
  return (
    <div className={classes.working} data-asking={isAsking}>
      {isAsking ? (
        <Diamond size={14} aria-hidden />
      ) : (
        <LoaderCircle size={14} className={classes.turning} aria-hidden />
      )}
      <span role="status">
        {open?.isStopping ? "stopping" : isAsking ? "waiting for your answer" : doing(items.at(-1))}
      </span>
      {open !== null && <Elapsed from={open.at} to={null} />}
    </div>
  );
}

function isOpenQuestion(item: Item): boolean {
  return item.kind === "ask" && item.subject === "question" && item.outcome === "";
}

function doing(last: Item | undefined): string {
  if (last?.kind === "tool" && last.endedAt === null) {
    return truncate(last.title, 80);
  }
  if (last?.kind === "delay" && last.ended === "") {
    return `waiting for ${last.provider}`;
  }
  if (last?.kind === "speech") {
    return last.isThought ? "thinks" : "writes";
  }
  return "works";
}
