/** A screen that could not be opened: why, and where else to go. */

import { Button, Group } from "@mantine/core";
import type { Problem } from "@/api/client";
import { Empty } from "@/ui/Empty";
import { LinkButton } from "@/ui/LinkButton";

interface Props {
  readonly problem: Problem;
  readonly onRetry: () => void;
  /** The address one step up. */
  readonly back: { readonly to: string; readonly name: string };
}

/** Say in place of a whole screen what stands in its way. */
export function Unopened({ problem, onRetry, back }: Props) {
  return (
    <div role="alert">
      <Empty title={problem.title} text={problem.detail}>
        {problem.hint && <p>{problem.hint}</p>}
        <Group gap="xs">
          <LinkButton to={back.to}>{back.name}</LinkButton>
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      </Empty>
    </div>
  );
}
