/** The table of a comparison: differences marked, equal rows folded. */

import { Button } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { type Row, rowsOf } from "@/plans/comparison";
import type { ThreadView } from "@/plans/models";
import type { Planner } from "@/plans/planners";
import classes from "@/screens/compare/compare.module.css";
import { LinkButton } from "@/ui/LinkButton";

interface Props {
  readonly thread: ThreadView;
  readonly comparison: Schemas["Comparison"];
  readonly planners: readonly Planner[];
  /** The revision that is about to be decided. */
  readonly selected: number | null;
  readonly onSelect: (revision: number) => void;
}

/** Show each plan as a column. */
export function ComparisonTable({ thread, comparison, planners, selected, onSelect }: Props) {
  const [isUnfolded, setUnfolded] = useState(false);
  const sides = comparison.plans.flatMap((summary) => {
    const proposed = thread.plans.find(({ revision }) => revision === summary.revision);
    return proposed === undefined ? [] : [{ summary, plan: proposed.plan }];
  });
  const rows = rowsOf(sides, thread.agent);
  const equal = rows.filter(({ isEqual }) => isEqual);
  const columns = sides.map(({ summary }) => ({
    summary,
    planner: planners.find(({ newest }) => newest?.revision === summary.revision),
  }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it
    <section className={classes.frame} aria-label="Comparison" tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Criteria</th>
            {columns.map(({ summary, planner }) => (
              <th key={summary.revision} scope="col" data-selected={summary.revision === selected}>
                {planner?.letter} {summary.planner}{" "}
                <span className="mono dim">r{summary.revision}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(({ isEqual }) => !isEqual)
            .map((row) => (
              <Line key={row.label} row={row} />
            ))}
          {equal.length > 0 && (
            <tr>
              <th scope="row" colSpan={sides.length + 1}>
                <button
                  type="button"
                  className={classes.fold}
                  aria-expanded={isUnfolded}
                  onClick={() => setUnfolded(!isUnfolded)}
                >
                  {isUnfolded ? "▾" : "▸"} {equal.length} identical rows
                </button>
              </th>
            </tr>
          )}
          {isUnfolded && equal.map((row) => <Line key={row.label} row={row} />)}
        </tbody>
        <tfoot>
          <tr>
            <td />
            {columns.map(({ summary, planner }) => (
              <td key={summary.revision}>
                <div className={classes.acts}>
                  <LinkButton
                    to={`/threads/${thread.thread_id}?panel=plan&plan=${planner?.letter ?? ""}`}
                  >
                    Open
                  </LinkButton>
                  {planner?.isWaiting && (
                    <Button
                      variant={summary.revision === selected ? "filled" : "default"}
                      aria-pressed={summary.revision === selected}
                      onClick={() => onSelect(summary.revision)}
                    >
                      Select {planner.letter}
                    </Button>
                  )}
                </div>
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Line({ row }: { readonly row: Row }) {
  return (
    <tr data-equal={row.isEqual}>
      <th scope="row">
        <span className={classes.sign} title={row.isEqual ? "identical" : "differs"}>
          {row.isEqual ? "=" : "≠"}
        </span>{" "}
        {row.label}
      </th>
      {row.cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
        <td key={index}>{cell === "" ? <span className="dim">–</span> : cell}</td>
      ))}
    </tr>
  );
}
