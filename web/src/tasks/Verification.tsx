/** Verification, attempt by attempt: every step with what it gave. */

import type { Schemas } from "@/api/client";
import { plural } from "@/format";
import { Attempt } from "@/tasks/Attempt";
import { type PlannedStep, type TaskStory, taskStory } from "@/tasks/story";

interface Props {
  readonly threadId: string;
  readonly attempts: readonly Schemas["VerificationAttempt"][];
  readonly totalAttempts?: number;
  /** What the task's stream tells: the steps to come, and since when the present one runs. */
  readonly story?: TaskStory;
}

/** Show the newest attempt open, the earlier ones folded. */
export function Verification({ attempts, totalAttempts = 0, story = taskStory.empty }: Props) {
  const newest = attempts.at(-1);
  const steps = story.planned?.verification ?? [];
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
        of={story.maxAttempts}
        running={story.running}
        endedAt={story.checked[newest.attempt]}
        isOpen
      />
      {story.lastCheck !== null && story.turn !== null && <OwnCheck check={story.lastCheck} />}
      {attempts
        .slice(0, -1)
        .toReversed()
        .map((attempt) => (
          <Attempt
            key={attempt.attempt}
            attempt={attempt}
            steps={[]}
            of={story.maxAttempts}
            endedAt={story.checked[attempt.attempt]}
          />
        ))}
      {gone > 0 && <p className="dim">{plural(gone, "attempt")} earlier: see the conversation.</p>}
    </>
  );
}

const NOTHING: Schemas["VerificationAttempt"] = {
  attempt: 1,
  tree: null,
  steps: [],
  is_finished: true,
  held: "",
};

function NotYet({ steps }: { readonly steps: readonly PlannedStep[] }) {
  return (
    <>
      <p className="dim">
        Not verified yet. Verification starts when the agent reports that it is done.
      </p>
      {steps.length > 0 && <Attempt attempt={NOTHING} steps={steps} isOpen isComing />}
    </>
  );
}

function OwnCheck({ check }: { readonly check: Schemas["VerificationChecked"] }) {
  const failed = check.steps.filter((step) => !step.passed).map((step) => step.label);
  return (
    <p className="dim">
      The agent ran the steps itself (not counted as an attempt):{" "}
      {check.passed ? "all passed" : `${failed.join(", ") || "it was interrupted"} failed`}.
    </p>
  );
}
