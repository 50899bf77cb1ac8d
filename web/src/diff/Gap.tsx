/** Where lines are left out of a change: how many, and the ways to see them. */

import classes from "@/diff/diff.module.css";
import { type Gap as LeftOut, type Reveal, STEP_LINES } from "@/diff/whole";
import { Safe } from "@/ui/Safe";

interface Props {
  /** What the lines below are about; null behind the last ones. */
  readonly title: string | null;
  /** The first line that changed below, by its key. */
  readonly first: string | null;
  readonly gap: LeftOut | null;
  /** There are lines above it. */
  readonly isBelow: boolean;
  readonly onReveal: (number: number, more: Reveal) => void;
}

/** Show a bar between hunks. */
export function Gap({ title, first, gap, isBelow, onReveal }: Props) {
  if (title === null && gap === null) {
    return null;
  }
  const left = gap?.lines ?? null;
  const isShort = left !== null && left <= STEP_LINES;
  const reveal = (top: number, bottom: number) => () =>
    gap && onReveal(gap.number, { top, bottom });
  return (
    <div className={classes.gap}>
      {gap !== null && !isShort && (
        <>
          {isBelow && (
            <button type="button" onClick={reveal(STEP_LINES, 0)}>
              ↓ Show {STEP_LINES} more lines
            </button>
          )}
          {title !== null && (
            <button type="button" onClick={reveal(0, STEP_LINES)}>
              ↑ Show {STEP_LINES} more lines
            </button>
          )}
        </>
      )}
      {gap !== null && left !== null && (
        <button
          type="button"
          onClick={reveal(title === null ? left : 0, title === null ? 0 : left)}
        >
          Show {isShort ? "" : "all "}
          {left === 1 ? "1 line" : `${left} lines`}
        </button>
      )}
      {title !== null && (
        <h3 className={classes.hunk} data-hunk={first ?? ""} tabIndex={-1}>
          <Safe text={title} />
        </h3>
      )}
    </div>
  );
}
