"""What a person should know before they trust a verification, and whether a gate waits for them."""

from collections.abc import Sequence

from domain.core.text import on_one_line
from domain.core.workspaces import Snapshot
from domain.verification.judges.policy import JudgePolicy
from domain.verification.judges.suspects import How, Judged, is_test
from domain.verification.steps import StepResult, VerificationStep

_NAMED = 10
_MOST_STEPS = 20
_NOTES = {How.REMOVED: " (removed)", How.LINK: " (a link)", How.UNWATCHED: " (perhaps)"}
_UNVERIFIED = "verified by nothing: no required step looked at this change"


def judged_words(result: StepResult) -> str:
    """Say which changed files had part in a step's verdict; nothing where none had."""
    if not result.judged:
        return ""
    names = [f"{on_one_line(one.name)}{_NOTES.get(one.how, '')}" for one in result.judged[:_NAMED]]
    left = len(result.judged) - len(names)
    more = f" and {left} more" if left > 0 else ""
    step = on_one_line(result.label or result.step_id)
    return f"opened by step {step}, changed by this task: {', '.join(names)}{more}"


def is_unverified(snapshot: Snapshot | None, steps: Sequence[VerificationStep]) -> bool:
    """Tell whether files were changed, and no step had to pass on them."""
    return bool(snapshot and snapshot.file_count) and not any(step.required for step in steps)


def doubts(
    snapshot: Snapshot | None,
    steps: Sequence[VerificationStep],
    results: Sequence[StepResult],
    policy: JudgePolicy | None,
) -> tuple[str, ...]:
    """Return what is told at the gate, a sentence each; runs from before this have no policy."""
    found = [words for result in results[:_MOST_STEPS] if (words := judged_words(result))]
    if policy is not None and is_unverified(snapshot, steps):
        found.append(_UNVERIFIED)
    has_stop = bool(found) or bool(snapshot and snapshot.judges)
    if has_stop and policy is not None and not must_stop(snapshot, steps, results, policy):
        found.append(
            f"an automatic gate does not wait for it: the template says `judges: {policy}`"
        )
    return tuple(found)


def must_stop(
    snapshot: Snapshot | None,
    steps: Sequence[VerificationStep],
    results: Sequence[StepResult],
    policy: JudgePolicy | None,
) -> bool:
    """Tell whether a gate that closes by itself waits for a person all the same."""
    if policy is JudgePolicy.TELL:
        return False
    named = snapshot.judges if snapshot else ()
    judged: list[Judged] = [one for result in results for one in result.judged]
    if policy is JudgePolicy.TESTS:
        named = tuple(name for name in named if not is_test(name))
        judged = [one for one in judged if not one.is_test]
    return bool(named or judged) or (policy is not None and is_unverified(snapshot, steps))
