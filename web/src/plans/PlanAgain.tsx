/** Planning that ended without a plan: it can be asked for again. */

import { Group } from "@mantine/core";
import { useCommand } from "@/api/commands";
import { planAgain } from "@/api/thread_commands";
import { useAccidentGuard } from "@/ui/accident_guard";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly threadId: string;
  /** Since when it waits: a click that was meant for the card before does nothing. */
  readonly since: string;
}

/** Offer to plan the thread's goal again. */
export function PlanAgain({ threadId, since }: Props) {
  const again = useCommand((id: string) => planAgain(id, threadId));
  const isArmed = useAccidentGuard(since);
  return (
    <div>
      <Group gap={6}>
        <CommandButton
          variant="default"
          done="Planning"
          command={again}
          onClick={() => isArmed() && void again.send()}
        >
          Plan again
        </CommandButton>
      </Group>
      <Failure problem={again.problem} note="Nothing was started." />
    </div>
  );
}
