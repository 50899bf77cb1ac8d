/** The choices of how changes are shown. */

import { Checkbox, SegmentedControl } from "@mantine/core";
import classes from "@/diff/diff.module.css";
import type { DiffSettings } from "@/diff/settings";

/** Show the choices, above a change. */
export function LookControls({ settings }: { readonly settings: DiffSettings }) {
  const { look, toggleSplit, toggleWhitespace } = settings;
  return (
    <>
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
      <Checkbox
        size="xs"
        label="Hide whitespace changes"
        checked={look.isWhitespaceOff}
        onChange={toggleWhitespace}
      />
    </>
  );
}
