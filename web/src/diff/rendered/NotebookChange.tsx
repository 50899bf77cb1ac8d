/** A notebook's changed cells. Nothing in them runs: code is text, and of outputs only text and pictures are shown. */

import { Box } from "@mantine/core";
import { useMemo } from "react";
import { DiffBlock } from "@/diff/DiffBlock";
import classes from "@/diff/diff.module.css";
import MarkdownChange from "@/diff/rendered/MarkdownChange";
import {
  type Cell,
  type CellChange,
  changedCells,
  type Output,
  readNotebook,
} from "@/diff/rendered/notebooks";
import { bytesOf, canBeDrawn, sizeOf } from "@/diff/rendered/pictures";
import { Ansi } from "@/ui/Ansi";

const EMPTY = { language: "python", cells: [] } as const;
const MOST_OUTPUT = 4000;

/** Show the cells that changed. */
export default function NotebookChange(props: { readonly before: string; readonly after: string }) {
  const { before, after } = props;
  const found = useMemo(() => {
    const old = before === "" ? EMPTY : readNotebook(before);
    const fresh = after === "" ? EMPTY : readNotebook(after);
    return old && fresh && { language: fresh.language, changes: changedCells(old, fresh) };
  }, [before, after]);
  if (found === null) {
    return <p className="dim">Unknown notebook format: see the lines instead.</p>;
  }
  if (found.changes.length === 0) {
    return <p className="dim">No cells changed, only metadata.</p>;
  }
  return found.changes.map((change, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name than their place
    <Changed key={index} change={change} language={found.language} />
  ));
}

function Changed({ change, language }: { readonly change: CellChange; readonly language: string }) {
  const { before, after } = change;
  const kind = (after ?? before)?.kind ?? "code";
  const word = before === null ? "added" : after === null ? "removed" : "changed";
  const [old, fresh] = [before?.source ?? "", after?.source ?? ""];
  return (
    <Box className={classes.cell} role="group" aria-label={`${kind} cell, ${word}`}>
      <p className="dim">
        {kind} cell, {word}
      </p>
      {kind === "markdown" ? (
        <MarkdownChange before={old} after={fresh} />
      ) : (
        <DiffBlock path={`cell.${language}`} oldText={lined(old)} newText={lined(fresh)} />
      )}
      <Outputs cell={after} />
    </Box>
  );
}

function lined(text: string): string {
  return text === "" ? "" : `${text}\n`;
}

function Outputs({ cell }: { readonly cell: Cell | null }) {
  return cell?.outputs.map((output, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: outputs have no other name than their place
    <OutputView key={index} output={output} />
  ));
}

function OutputView({ output: { kind, text } }: { readonly output: Output }) {
  if (kind === "text") {
    const isCut = text.length > MOST_OUTPUT;
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <pre className={classes.output} tabIndex={0}>
        <Ansi text={isCut ? `${text.slice(0, MOST_OUTPUT)}…` : text} />
      </pre>
    );
  }
  const isPicture = kind !== "other" && canBeDrawn(sizeOf(bytesOf(text)));
  return isPicture ? (
    <img
      className={classes.picture}
      src={`data:image/${kind};base64,${text}`}
      alt="Output of the cell"
    />
  ) : (
    <p className="dim">Output not shown{text && kind === "other" ? `: ${text}` : ""}.</p>
  );
}
