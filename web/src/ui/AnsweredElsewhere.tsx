/** What stands in the place of a card that nobody asks for any more, until the person continues. */

import { Button, Group } from "@mantine/core";
import type { CommandState } from "@/api/commands";
import { useAccidentGuard } from "@/ui/accident_guard";

interface Props {
  /** What of it this person's own answer is. */
  readonly own: CommandState;
  readonly onNext: () => void;
}

/** Say that another was first, and lead on: apart from where answers are given, and not at once. */
export function AnsweredElsewhere({ own, onNext }: Props) {
  const isArmed = useAccidentGuard(own);
  if (own === "sending") {
    return (
      <p className="dim" role="status">
        Sending your answer…
      </p>
    );
  }
  return (
    <div role="alert" aria-label="Answered elsewhere">
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
