"""What Treadle comments on an issue; whatever agents or others wrote stands in it as text, never as markup."""

from collections.abc import Iterator

from domain.core.approvals import Outcome, decision_code
from domain.core.command import Answer
from domain.core.markdown import address, code, fenced, inline
from domain.core.wire import Wire
from domain.plans.plan import Plan, PlannedTask
from domain.threads.planning.state import ProposedPlan
from domain.trackers.state import ShownPlan, TrackedIssue

MAX_PLAN = 30_000
"""Characters of a plan in a comment; of a whole comment Jira takes 32,767, the others more."""

_FENCES = 100

_COMMENT = "comment"


class PlanComment(Wire):
    """A plan as it is commented, with what an answer binds to."""

    text: str
    shown: ShownPlan


def plan_comment(key: bytes, issue: TrackedIssue, proposed: ProposedPlan) -> PlanComment:
    """Return the comment that asks for approval of a plan.

    Its code is made of the request and the hash of the plan, its warnings and its handoff packet, so a
    newer plan has another one. It is no secret: who may use it is decided by the account.
    """
    told, is_whole = _block("".join(_plan(proposed)))
    head = f"**Plan {proposed.revision} waits for approval**\n\n"
    shown = shown_plan(key, issue, proposed).model_copy(update={"is_whole": is_whole})
    return PlanComment(text=f"{head}{told}\n{_answer(shown)}", shown=shown)


def shown_plan(key: bytes, issue: TrackedIssue, proposed: ProposedPlan) -> ShownPlan:
    """Return what an answer to a plan on an issue binds to."""
    request = proposed.request
    what = f"{issue.entry_id} {issue.ref.tracker} {issue.ref.id}"
    return ShownPlan(
        request_id=request.request_id,
        content_hash=request.content_hash,
        code=decision_code(key, what, request.request_id, _COMMENT, request.content_hash),
        revision=proposed.revision,
    )


def _block(text: str) -> tuple[str, bool]:
    """Return as much of a text as a comment takes, as a block, and whether that is all of it.

    A block may be longer than its text: characters that are made visible are written as several, and its fence is
    longer than any run of quotes in it.
    """
    length = min(len(text), MAX_PLAN)
    while len(block := fenced(text[:length], "text", MAX_PLAN)) > MAX_PLAN + _FENCES:
        length //= 2
    return block, length == len(text)


def _answer(shown: ShownPlan) -> str:
    if not shown.is_whole:
        return "The plan is too long to be shown here: read and approve it in Treadle."
    return (
        "Whoever may approve comments one of these lines, and nothing above it:\n\n"
        f"    /treadle approve {shown.code}\n"
        f"    /treadle reject {shown.code} what is wrong with it\n\n"
        "The code is good for this plan only. A comment that was edited is not acted upon."
    )


def _plan(proposed: ProposedPlan) -> Iterator[str]:
    plan = proposed.plan
    for name, text in _parts(plan):
        yield f"{name}: {text.strip()}\n\n"
    for warning in proposed.warnings:
        yield f"WARNING: {warning.text}\n\n"
    for task in plan.tasks:
        yield from _task(task)
    for decision in plan.decisions:
        options = ", ".join(option.label for option in decision.options)
        yield f"Decision {decision.id}: {decision.question} ({options})\n\n"


def _parts(plan: Plan) -> Iterator[tuple[str, str]]:
    named = {"Summary": plan.summary, "Approach": plan.approach, "Key risk": plan.key_risk}
    yield from ((name, text) for name, text in named.items() if text)
    yield from (("Consider", text) for text in plan.considerations)


def _task(task: PlannedTask) -> Iterator[str]:
    after = f", after {', '.join(task.depends_on)}" if task.depends_on else ""
    yield f"Task {task.id}: {task.title} ({task.mode}{after})\n"
    if task.description:
        yield f"{task.description.strip()}\n"
    if task.best_of and task.best_of.agents:
        yield f"{task.best_of.words}\n"
    for step in task.verification:
        yield f"verified by {step.type}: {step.subject}\n"
    yield "\n"


def withdrawn_words(reason: str) -> str:
    """Return the comment on an issue whose entry was taken out of the queue."""
    return f"Taken out of Treadle's queue before it started: {inline(reason)}."


def unwanted_words(reason: str, entry_id: str) -> str:
    """Return the comment on an issue whose work goes on though it is not wanted any more."""
    return (
        f"The work on this had started when {inline(reason)}, so it goes on. To stop it: "
        f"{code(f'treadle cancel {entry_id}')}. It is asked about in the inbox, too."
    )


def taken_words(entry_id: str) -> str:
    """Return the comment on an issue that is in the queue."""
    return f"In Treadle's queue as {code(entry_id)}. The plan will be shown here for approval."


def decided_words(plan: ShownPlan, person: str, answer: Answer) -> str:
    """Return the reply to a comment of a person that decided about a plan, by what the thread answered."""
    name = f"Plan {plan.revision}" if plan.revision else "The plan"
    if missing := answer.data.get("missing"):
        return f"{name} was approved by {inline(person, 100)}, but not by enough people yet: {inline(str(missing))}."
    outcome = Outcome.model_validate(answer.data)
    people = " and ".join(inline(each, 100) for each in (*outcome.others, outcome.by))
    return f"{name} was {outcome.spoken} by {people}."


def undecided_words(person: str, reason: str) -> str:
    """Return the reply to a comment of a person whose decision the thread refused."""
    return f"The comment of {inline(person, 100)} decided nothing: {inline(reason)}"


def status_words_of(entry_id: str, status: str) -> str:
    """Return the reply to a question for the status."""
    return f"{code(entry_id)}: {inline(status or 'waits in the queue')}"


def pull_request_words(url: str) -> str:
    """Return the comment that links the pull request."""
    return f"Pull request: {address(url)}"


def ended_words(entry_id: str, outcome: str) -> str:
    """Return the comment on an issue whose work ended."""
    return f"The work on this ended: {inline(outcome)} ({code(entry_id)})."
