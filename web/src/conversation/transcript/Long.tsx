/** A text of any length: its beginning, and a way to the rest. */

import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface Props {
  readonly text: string;
  /** Characters that are shown at first. */
  readonly limit?: number;
  readonly children: (text: string) => ReactNode;
}

const STEP = 400_000;

/** Draw the first characters of a text; more is drawn when it is asked for, 400 KB at a time. */
export function Long({ text, limit = 4096, children }: Props) {
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
