/** Verification, attempt by attempt: every step with what it gave (features.md G6). */

import type { Schemas } from "@/api/client";
import { Attempt } from "@/task/Attempt";
import type { PlannedStep } from "@/task/story";

interface Props {
  readonly attempts: readonly Schemas["VerificationAttempt"][];
  /** The steps that the plan has for this run, in order, where they are known. */
  readonly steps?: readonly PlannedStep[];
  readonly maxAttempts?: number | null;
  readonly totalAttempts?: number;
}

/** Show the newest attempt open, the earlier ones folded. */
export function Verification({ attempts, steps = [], maxAttempts, totalAttempts = 0 }: Props) {
  const newest = attempts.at(-1);
  if (newest === undefined) {
    return <NotYet steps={steps} />;
  }
  const gone = totalAttempts - attempts.length;
  return (
    <>
      <Attempt
        key={newest.attempt}
        attempt={newest}
        steps={steps}
        of={maxAttempts ?? null}
        isOpen
      />
      {attempts
        .slice(0, -1)
        .toReversed()
        .map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} steps={[]} of={maxAttempts ?? null} />
        ))}
      {gone > 0 && <p className="dim">{gone} attempts before these are in the timeline.</p>}
    </>
  );
}

function NotYet({ steps }: { readonly steps: readonly PlannedStep[] }) {
  return (
    <>
      <p className="dim">
        Nothing was verified yet: verification begins when the agent reports that it is done.
      </p>
      {steps.length > 0 && (
        <Attempt
          attempt={{ attempt: 1, tree: null, steps: [], is_finished: true, held: "" }}
          steps={steps}
          of={null}
          isOpen
          isComing
        />
      )}
    </>
  );
}
