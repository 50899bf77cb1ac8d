/** How a plan ended, with what did not complete and what fixes it. */

import type { SummaryItem } from "@/conversation/projection/items";
import classes from "@/conversation/transcript/transcript.module.css";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

/** Show the end of a plan. */
export function Summary({ item }: { readonly item: SummaryItem }) {
  const { final_status: status, summary, failures, remedies } = item.body;
  const [first = "", ...rest] = summary.split("\n");
  const failed = Object.entries(failures ?? {});
  return (
    <section className={classes.card} aria-label="How the plan ended">
      <div className={classes.cardTitle}>
        Plan <Status status={status} />
      </div>
      <p className={classes.reason}>
        <Safe text={first} />
      </p>
      {failed.length === 0 && rest.length > 0 && (
        <pre className={classes.raw}>
          <Safe text={rest.join("\n")} />
        </pre>
      )}
      {failed.length > 0 && (
        <ul className={classes.askLines}>
          {failed.map(([task, why]) => (
            <li key={task}>
              <strong>{task}</strong> <Safe text={why} />
              {remedies?.[task] && <code className={classes.remedy}>{remedies[task]}</code>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
