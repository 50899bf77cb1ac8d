/** The agent's own list of what it does next. */

import type { TodoItem } from "@/conversation/projection/items";
import classes from "@/conversation/transcript/transcript.module.css";
import { Safe } from "@/ui/Safe";

const ICONS: Readonly<Record<string, readonly [string, string]>> = {
  completed: ["✓", "done"],
  in_progress: ["▸", "in progress"],
};

/** Show the list as it stands. */
export function Todo({ item }: { readonly item: TodoItem }) {
  const done = item.entries.filter((entry) => entry.status === "completed").length;
  return (
    <section className={classes.card} aria-label="Agent's to-do list">
      <div className={classes.cardTitle}>
        Agent's to-do list{" "}
        <span className="dim mono">
          {done}/{item.entries.length}
        </span>
      </div>
      <ul className={classes.todo}>
        {item.entries.map((entry, index) => {
          const [mark, word] = ICONS[entry.status] ?? ["○", "to do"];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name than their place
            <li key={index} data-status={entry.status}>
              <span role="img" aria-label={word}>
                {mark}
              </span>{" "}
              <Safe text={entry.text} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
