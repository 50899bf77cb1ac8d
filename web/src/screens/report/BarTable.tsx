/** A table whose first figure is drawn as a bar as well, so that the longest is seen at once. */

import type { ReactNode } from "react";
import own from "@/screens/report/report.module.css";
import { Sideways } from "@/ui/Page";
import classes from "@/ui/page.module.css";

/** A line of such a table. */
export interface BarRow {
  readonly key: string;
  readonly label: ReactNode;
  /** What the bar is long by. */
  readonly size: number;
  /** Of it, what went wrong. */
  readonly bad?: number;
  readonly cells: readonly ReactNode[];
  /** Words that stand below the label. */
  readonly below?: ReactNode;
}

interface Props {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly BarRow[];
}

/** Show rows with bars; `heads` name the label and each cell. */
export function BarTable({ label, heads, rows }: Props) {
  const longest = Math.max(1, ...rows.map((row) => row.size));
  const [first, ...rest] = heads;
  return (
    <Sideways label={label}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{first}</th>
            <th className={own.barHead}>
              <span className={own.hidden}>chart</span>
            </th>
            {rest.map((head) => (
              <th key={head} className={classes.figure}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <td className={own.label}>
                {row.label}
                {row.below}
              </td>
              <td aria-hidden>
                <Drawn size={row.size} bad={row.bad ?? 0} longest={longest} />
              </td>
              {row.cells.map((cell, index) => (
                <td key={rest[index]} className={classes.figure}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

function Drawn({ size, bad, longest }: { size: number; bad: number; longest: number }) {
  const share = (part: number) => `${(100 * part) / longest}%`;
  return (
    <div className={own.bar}>
      <span className={own.good} style={{ width: share(size - bad) }} />
      <span className={own.bad} style={{ width: share(bad) }} />
    </div>
  );
}
