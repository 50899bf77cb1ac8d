/** Markdown before and after, block by block. */

import { Box } from "@mantine/core";
import { useMemo } from "react";
import classes from "@/diff/diff.module.css";
import { blockRuns } from "@/diff/rendered/markdown_changes";
import { Markdown } from "@/ui/Markdown";

const WORDS = { same: undefined, removed: "Removed", added: "Added" } as const;

/** Show a text as it reads, with the blocks that went and came marked. */
export default function MarkdownChange(props: { readonly before: string; readonly after: string }) {
  const runs = useMemo(() => blockRuns(props.before, props.after), [props.before, props.after]);
  return runs.map(({ kind, text }, index) => (
    <Box
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other name than their place
      key={index}
      className={classes.passage}
      data-change={kind}
      role="group"
      aria-label={WORDS[kind]}
    >
      <Markdown text={text} />
    </Box>
  ));
}
