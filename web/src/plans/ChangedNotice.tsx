/** Says that what is read is not the newest any more, and what changed. */

import { Button } from "@mantine/core";
import { useDifference } from "@/api/queries";
import classes from "@/plans/panel.module.css";
import { changeWords } from "@/plans/wordings";

interface Props {
  readonly threadId: string;
  readonly before: number;
  readonly after: number;
  readonly onReview: () => void;
}

/** Offer the newer revision with its changes; what is read stays until then. */
export function ChangedNotice({ threadId, before, after, onReview }: Props) {
  const { data } = useDifference(threadId, before, after);
  const words = data && changeWords(data.changes);
  return (
    <div className={classes.notice} role="status">
      <span>
        {words === ""
          ? `Revision ${after} was proposed since you opened this; it is identical.`
          : `Changed since you opened it: revision ${after} has ${words ?? "…"}`}
      </span>
      <Button variant="default" onClick={onReview}>
        Review changes
      </Button>
    </div>
  );
}
