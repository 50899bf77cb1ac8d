"""Texts of verification: its attempts, steps and reviews, of a task and of what a merge would make."""

from domain.agents.terminals import as_read
from domain.core.event_text import EventText, error, success, warning
from domain.core.task_names import task_name
from domain.core.text import duration, spaced
from domain.reading.event_text.phrases import after
from domain.reading.event_text.registry import describe, describes
from domain.tasks import events as task_events
from domain.threads.events import MergeStepEnded
from domain.verification.review_events import ReviewMissed, ReviewSubmitted
from domain.verification.reviews import ReviewVerdict
from domain.verification.steps import StepResult

_OUTPUT_LINES = 15

describe(
    task_events.VerificationStarted, lambda event: f"Verification started, attempt {event.attempt}"
)


def output_tail(output: str) -> str:
    """Return the last lines of what a command printed, as a terminal would show them."""
    lines = as_read(output).rstrip().splitlines()
    more = ["…"] if len(lines) > _OUTPUT_LINES else []
    return "\n".join([*more, *lines[-_OUTPUT_LINES:]])


def _describe_result(what: str, result: StepResult) -> EventText:
    optional = "Optional step" if not result.is_required else "Step"
    outcome = "passed" if result.passed else "failed"
    name = result.label or result.step_id
    summary = f"{optional} {name} {outcome}{what} after {duration(result.duration_ms)}"
    findings = [finding.as_line for finding in result.findings]
    if result.passed:
        return success(summary, "\n".join(findings))
    return error(summary, "\n".join([*findings, output_tail(result.output)]))


describe(task_events.VerificationStepEnded, lambda event: _describe_result("", event.result))


@describes(MergeStepEnded)
def _describe_merge_step(event: MergeStepEnded) -> EventText:
    text = _describe_result(f" for {task_name(event.task_id)} as merged", event.result)
    return text.model_copy(update={"task_id": event.task_id})


@describes(task_events.VerificationEnded)
def _describe_verdict(event: task_events.VerificationEnded) -> EventText:
    if event.passed and not event.has_steps:
        return EventText(summary=f"No verification steps, attempt {event.attempt}")
    word, tone = ("passed", success) if event.passed else ("failed", error)
    if event.held:
        word, tone = "held", warning
    summary = f"Verification {word}, attempt {event.attempt}{after(event.held)}"
    return tone(summary, milestone=f"attempt_{word}")


@describes(task_events.VerificationChecked)
def _describe_check(event: task_events.VerificationChecked) -> EventText:
    if event.is_cut_off:
        return warning("Verification check by the agent cut off by the end of its turn")
    if event.passed:
        return success("Verification check by the agent passed")
    failed = ", ".join(result.label for result in event.steps if not result.passed)
    return warning(f"Verification check by the agent failed{after(failed)}")


@describes(ReviewSubmitted)
def _describe_review(event: ReviewSubmitted) -> EventText:
    review = event.review
    tone = success if review.verdict is ReviewVerdict.APPROVE else warning
    findings = "\n".join(finding.as_line for finding in review.findings)
    return tone(f"Review: {spaced(review.verdict)}{after(review.summary)}", findings)


describe(
    ReviewMissed,
    lambda event: warning(f"Reviewer gave no review and is asked again{after(event.problem)}"),
)
