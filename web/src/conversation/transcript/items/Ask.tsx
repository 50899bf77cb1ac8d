/** Something that a person was asked, as a conversation tells of it; open ones have cards of their own. */

import { Diamond } from "lucide-react";
import type { AskItem } from "@/conversation/projection/items";
import { Fold } from "@/conversation/transcript/items/Fold";
import classes from "@/conversation/transcript/transcript.module.css";
import { Safe } from "@/ui/Safe";

/** Show what was asked, and what was answered. */
export function Ask({ item }: { readonly item: AskItem }) {
  const isOpen = item.outcome === "";
  const outcome = isOpen ? "waiting for an answer" : item.outcome;
  const head = (
    <span className={classes.ask} data-open={isOpen}>
      <Diamond size={12} aria-hidden />
      <span className={classes.askTitle}>
        <Safe text={item.title} />
      </span>
      <span className={classes.askOutcome} data-approved={item.isApproved}>
        {outcome}
      </span>
    </span>
  );
  if (item.lines.length === 0 && item.feedback === "") {
    return <div className={classes.lineRow}>{head}</div>;
  }
  return (
    <Fold name={item.key} head={head} isOpen={item.feedback !== ""}>
      {() => (
        <>
          <ul className={classes.askLines}>
            {item.lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
              <li key={index}>
                <Safe text={line} />
              </li>
            ))}
          </ul>
          {item.feedback !== "" && (
            <p className={classes.reason}>
              Feedback: <Safe text={item.feedback} />
            </p>
          )}
        </>
      )}
    </Fold>
  );
}
