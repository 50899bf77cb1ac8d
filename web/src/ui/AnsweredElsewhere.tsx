/** What stands in the place of a card that nobody asks for any more, until the person continues. */

import { Button, Group } from "@mantine/core";
import type { CommandState } from "@/api/commands";
import { useAccidentGuard } from "@/ui/accident_guard";
import classes from "@/ui/ui.module.css";

interface Props {
  /** What of it this person's own answer is. */
  readonly own: CommandState;
  readonly onNext: () => void;
  /** As high as what stood here: what leads on is at its end. */
  readonly height?: number;
}

/** Say that another was first, and lead on: apart from where answers are given, and not at once. */
export function AnsweredElsewhere({ own, onNext, height = 0 }: Props) {
  const isArmed = useAccidentGuard(own);
  if (own === "sending") {
    return (
      <div role="status" className={classes.elsewhere} style={{ minHeight: height }}>
        <p className="dim">Sending your answer…</p>
      </div>
    );
  }
  return (
    <div
      role="alert"
      aria-label="Answered elsewhere"
      className={classes.elsewhere}
      style={{ minHeight: height }}
    >
      <p>
        Answered elsewhere, or no longer needed.
        {own === "refused" && " Your answer arrived later and was not used."}
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => isArmed() && onNext()}>
          Continue
        </Button>
      </Group>
    </div>
  );
}
