/** A button for what has consequences: it asks once more, in its place. */

import { Button } from "@mantine/core";
import { useState } from "react";

interface Props {
  readonly label: string;
  /** What happens, as a question. */
  readonly question: string;
  /** The word on the button that does it. */
  readonly verb: string;
  /** Red by default; gray for what can be undone. */
  readonly color?: "red" | "gray";
  readonly onConfirm: () => void;
  readonly isSending?: boolean;
}

/** Ask before doing; the question takes the place of the button, and Escape takes it back. */
export function Confirm({
  label,
  question,
  verb,
  color = "red",
  onConfirm,
  isSending = false,
}: Props) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <Button variant="subtle" color={color} loading={isSending} onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  }
  const answer = (isMeant: boolean) => {
    setAsking(false);
    if (isMeant) {
      onConfirm();
    }
  };
  return (
    <fieldset
      aria-label={question}
      style={{
        display: "inline-flex",
        alignItems: "center",
        gap: 6,
        border: 0,
        padding: 0,
        margin: 0,
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          setAsking(false);
        }
      }}
    >
      <span>{question}</span>
      <Button {...(color === "red" ? { color } : {})} onClick={() => answer(true)}>
        {verb}
      </Button>
      <Button variant="default" autoFocus onClick={() => answer(false)}>
        Cancel
      </Button>
    </fieldset>
  );
}
