/** A change of one file as it stands in a transcript; reviews have a viewer of their own. */

import { Button } from "@mantine/core";
import { memo, useMemo, useState } from "react";
import { type DiffLine, lineDiff } from "@/ui/line_diff";
import { Safe } from "@/ui/Safe";
import classes from "@/ui/text.module.css";

interface Props {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

const SHOWN = 40;
const CHUNK = 200;

/** Show what changed between two texts, its first 40 lines until all are asked for. */
export const DiffBlock = memo(function DiffBlock({ path, oldText, newText }: Props) {
  const { lines } = useMemo(() => lineDiff(oldText, newText), [oldText, newText]);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, SHOWN);
  return (
    <section
      className={classes.diff}
      aria-label={`Changes of ${path}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {chunked(shown).map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
        <pre key={index} className={classes.chunk}>
          {chunk.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
            <Line key={at} line={line} />
          ))}
        </pre>
      ))}
      {shown.length < lines.length && (
        <Button variant="subtle" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </Button>
      )}
    </section>
  );
});

function Line({ line }: { readonly line: DiffLine }) {
  return (
    <div className={classes.line} data-sign={line.sign}>
      <span className={classes.sign}>{line.sign === "@" ? "⋯" : line.sign}</span>
      <Safe text={line.text === "" ? " " : line.text} />
    </div>
  );
}

function chunked(lines: readonly DiffLine[]): readonly (readonly DiffLine[])[] {
  const count = Math.ceil(lines.length / CHUNK);
  return Array.from({ length: count }, (_, n) => lines.slice(n * CHUNK, (n + 1) * CHUNK));
}
