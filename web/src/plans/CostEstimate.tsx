/** What a plan will likely cost, shown where it is approved. */

import { useEstimate } from "@/api/reports";
import classes from "@/plans/panel.module.css";

interface Props {
  readonly threadId: string;
  readonly revision: number;
}

/** Say the range by tasks before, or that there is no history, and which limits it may pass. */
export function CostEstimate({ threadId, revision }: Props) {
  const { data } = useEstimate(threadId, revision);
  if (data === undefined) {
    return null;
  }
  return (
    <p className={`dim ${classes.estimate}`}>
      Expected cost: {data.words}.
      {data.beyond.map((limit) => (
        <span key={limit} data-tone="warn">
          {" "}
          This may exceed a limit: {limit}.
        </span>
      ))}
    </p>
  );
}
