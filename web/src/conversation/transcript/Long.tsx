/** A text of any length: its beginning, and a way to the rest. */

import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import classes from "@/conversation/transcript/transcript.module.css";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly text: string;
  /** Characters that are shown at first. */
  readonly limit?: number;
  /** How the text is drawn; as it is, if left out. */
  readonly children?: (text: string) => ReactNode;
}

const STEP = 400_000;

function rawText(text: string): ReactNode {
  return (
    <pre className={classes.raw}>
      <Safe text={text} />
    </pre>
  );
}

/** Draw the first characters of a text; more is drawn when it is asked for, 400 KB at a time. */
export function Long({ text, limit = 4096, children = rawText }: Props) {
  const [shown, setShown] = useState(limit);
  if (text.length <= shown) {
    return children(text);
  }
  const size = `${Math.ceil(text.length / 1024).toLocaleString("en")} KB`;
  return (
    <>
      {children(text.slice(0, shown))}
      <Button variant="subtle" onClick={() => setShown(shown === limit ? STEP : shown + STEP)}>
        {text.length > STEP ? `Show more of ${size}` : `Show all ${size}`}
      </Button>
    </>
  );
}
