/** Something that a person was asked, as a conversation tells of it; open ones have cards of their own. */

import type { AskItem } from "@/conversation/projection/items";
import { Fold } from "@/conversation/transcript/items/Fold";
import classes from "@/conversation/transcript/transcript.module.css";
import { KindIcon } from "@/ui/KindIcon";
import { Safe } from "@/ui/Safe";

/** Show what was asked, and what was answered. */
export function Ask({ item }: { readonly item: AskItem }) {
  const isOpen = item.outcome === "";
  const outcome = isOpen ? "waiting for an answer" : item.outcome;
  const head = (
    <span className={classes.ask} data-open={isOpen}>
      <KindIcon kind={item.subject} size={13} />
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
