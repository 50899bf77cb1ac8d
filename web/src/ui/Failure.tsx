/** A refusal as people read it: what failed, what to do, the raw words folded. */

import { Alert, Button, Group } from "@mantine/core";
import type { Problem } from "@/api/client";

interface Props {
  readonly problem: Problem | null;
  readonly onRetry?: () => void;
  /** What was kept, where something was typed. */
  readonly note?: string;
}

/** Show a Problem; nothing where there is none. */
export function Failure({ problem, onRetry, note: saved }: Props) {
  if (problem === null) {
    return null;
  }
  return (
    <Alert color="red" variant="light" title={problem.title} role="alert">
      <div>{problem.detail}</div>
      {problem.hint && <div className="dim">{problem.hint}</div>}
      {saved && <div className="dim">{saved}</div>}
      {onRetry && (
        <Group mt="xs">
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}
