/** What ended on each day, as columns; the same figures as a table for those who want them. */

import { Button } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { sumOf } from "@/screens/report/figures";
import own from "@/screens/report/report.module.css";
import { Sideways } from "@/ui/Page";
import classes from "@/ui/page.module.css";

type Day = Schemas["Day"];

const SHOWN = 60;

function completedOf(day: Day): number {
  return day.tasks?.completed ?? 0;
}

/** Draw tasks by day: completed ones below, those that ended otherwise above. */
export function Days({ days }: { readonly days: readonly Day[] }) {
  const [isTable, setTable] = useState(false);
  const shown = days.slice(-SHOWN);
  const most = Math.max(1, ...shown.map((day) => sumOf(day.tasks)));
  return (
    <>
      {isTable ? (
        <Table days={shown} />
      ) : (
        <div className={own.days} role="img" aria-label={summaryOf(shown)}>
          {shown.map((day) => (
            <div key={day.day} className={own.day} title={`${day.day}: ${sumOf(day.tasks)} tasks`}>
              <span className={own.count}>{sumOf(day.tasks) || ""}</span>
              <span
                className={own.columnBad}
                style={{ height: `${(110 * (sumOf(day.tasks) - completedOf(day))) / most}px` }}
              />
              <span
                className={own.columnGood}
                style={{ height: `${(110 * completedOf(day)) / most}px` }}
              />
              <span className={own.date}>{day.day.slice(5)}</span>
            </div>
          ))}
        </div>
      )}
      <div className={classes.line}>
        <span className={own.key} data-tone="good">
          completed
        </span>
        <span className={own.key} data-tone="bad">
          not completed
        </span>
        <Button variant="subtle" onClick={() => setTable(!isTable)}>
          {isTable ? "Chart" : "Table"}
        </Button>
      </div>
    </>
  );
}

function summaryOf(days: readonly Day[]): string {
  const all = days.reduce((sum, day) => sum + sumOf(day.tasks), 0);
  const well = days.reduce((sum, day) => sum + completedOf(day), 0);
  return `Tasks by day: ${all} ended on ${days.length} days, ${well} of them completed`;
}

function Table({ days }: { readonly days: readonly Day[] }) {
  return (
    <Sideways label="Days">
      <table className={classes.table}>
        <thead>
          <tr>
            <th>Day</th>
            <th className={classes.figure}>Plans</th>
            <th className={classes.figure}>Tasks</th>
            <th className={classes.figure}>completed</th>
            <th className={classes.figure}>Flow runs</th>
            <th className={classes.figure}>Turns</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <td>{day.day}</td>
              <td className={classes.figure}>{sumOf(day.plans)}</td>
              <td className={classes.figure}>{sumOf(day.tasks)}</td>
              <td className={classes.figure}>{completedOf(day)}</td>
              <td className={classes.figure}>{sumOf(day.flow_runs)}</td>
              <td className={classes.figure}>{day.turns ?? 0}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
