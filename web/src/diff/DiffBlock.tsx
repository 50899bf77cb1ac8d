/** A change between two texts as it stands in a transcript, without a head. */

import { Button } from "@mantine/core";
import { memo, useMemo, useState } from "react";
import { DiffBody } from "@/diff/DiffBody";
import classes from "@/diff/diff.module.css";
import { firstLines, textPatch } from "@/diff/text_diff";
import { linesOf } from "@/diff/whole";

interface Props {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

const SHOWN = 40;
const LOOK = { isSplit: false, isWhitespaceOff: false } as const;

/** Show what changed between two texts, its first 40 lines until all are asked for. */
export const DiffBlock = memo(function DiffBlock({ path, oldText, newText }: Props) {
  const found = useMemo(() => textPatch(oldText, newText), [oldText, newText]);
  const whole = useMemo(() => linesOf(newText), [newText]);
  const [isWhole, setWhole] = useState(false);
  const file = useMemo(() => {
    const named = found && { ...found, oldPath: path, newPath: path };
    return named === null || isWhole ? named : firstLines(named, SHOWN);
  }, [found, path, isWhole]);
  if (found === null || file === null) {
    return null;
  }
  const isCut = !isWhole && found.lines > SHOWN;
  return (
    <section
      className={classes.block}
      data-block
      aria-label={`Changes of ${path}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <DiffBody file={file} look={LOOK} drawn={0} whole={isCut ? null : whole} />
      {isCut && (
        <Button variant="subtle" onClick={() => setWhole(true)}>
          Show all {found.lines} lines
        </Button>
      )}
    </section>
  );
});
