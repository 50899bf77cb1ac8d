/** What a person wrote that cannot be sent where they wrote it: why not, their text, and ways on. */

import { Button, CopyButton, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Safe } from "@/ui/Safe";
import classes from "@/ui/ui.module.css";

interface Props {
  /** What the region is called. */
  readonly label: string;
  readonly why: string;
  readonly text: string;
  /** Lets go of the text, where that may be. */
  readonly onDiscard?: (() => void) | undefined;
  /** Stands there while the person continues to write: it is not announced. */
  readonly isQuiet?: boolean;
  /** What else can be done with the text, before the copy. */
  readonly children?: ReactNode;
}

/** Show the text with a way to copy them. */
export function UnsavedText({ label, why, text, onDiscard, isQuiet = false, children }: Props) {
  return (
    <section className={classes.kept} role={isQuiet ? undefined : "alert"} aria-label={label}>
      <div>{why}</div>
      <blockquote>
        <Safe text={text} />
      </blockquote>
      <Group gap="xs">
        {children}
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        {onDiscard && (
          <Button variant="default" onClick={onDiscard}>
            Discard
          </Button>
        )}
      </Group>
    </section>
  );
}
