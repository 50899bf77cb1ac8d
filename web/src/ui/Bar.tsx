/** How far a plan is. */

import { Progress } from "@mantine/core";
import classes from "@/ui/ui.module.css";

/** Show `done` of `total`, as a bar and in figures. */
export function Bar({ done, total }: { readonly done: number; readonly total: number }) {
  return (
    <span className={classes.bar}>
      <Progress
        value={total > 0 ? (100 * done) / total : 0}
        w={80}
        aria-label={`${done} of ${total} tasks done`}
      />
      <span className="mono">
        {done}/{total}
      </span>
    </span>
  );
}
