/** The choices of how changes are shown. */

import { Checkbox, SegmentedControl } from "@mantine/core";
import classes from "@/diff/diff.module.css";
import type { DiffSettings } from "@/diff/settings";

interface Props {
  readonly settings: DiffSettings;
  /** Whether there is room for two columns. */
  readonly hasColumns?: boolean;
}

/** Show the choices, above a change. */
export function LookControls({ settings, hasColumns = true }: Props) {
  const { look, toggleSplit, toggleWhitespace } = settings;
  return (
    <>
      {hasColumns && (
        <SegmentedControl
          className={classes.wide ?? ""}
          aria-label="Columns"
          value={look.isSplit ? "split" : "unified"}
          onChange={toggleSplit}
          data={[
            { value: "unified", label: "Unified" },
            { value: "split", label: "Split" },
          ]}
        />
      )}
      <Checkbox
        size="xs"
        label="Hide whitespace changes"
        checked={look.isWhitespaceOff}
        onChange={toggleWhitespace}
      />
    </>
  );
}
