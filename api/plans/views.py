"""Views of plans: each with its outcome, or several side by side."""

from pydantic import BaseModel

from domain.core.approvals import Outcome
from domain.core.errors import NotFoundError
from domain.plans.changes import FieldChange, PlanChanges, changes
from domain.plans.comparison import Comparison, FinishedTaskCost, compared, summarised
from domain.plans.estimates import Estimate
from domain.reading.money import LimitView
from domain.reading.projection import ThreadFold
from domain.tasks.status import TaskStatus
from domain.threads.planning.state import ProposedPlan


class PlanView(BaseModel):
    """A proposed plan; `outcome` is set once it is decided, `is_waiting` while it is open.

    `planner` is its agent and model.
    """

    proposed: ProposedPlan
    planner: str
    parallel_groups: list[list[str]]
    is_waiting: bool
    outcome: Outcome | None = None


class PlanEstimate(BaseModel):
    """What a plan will likely cost; it is shown at its approval, and no part of what that is bound to.

    `beyond` are the limits of which less is left than the upper end of the range.
    """

    estimate: Estimate
    words: str
    limits: list[LimitView]
    beyond: list[str]


def view_of(fold: ThreadFold, proposed: ProposedPlan) -> PlanView:
    """Return the view of a revision."""
    request_id = proposed.request.request_id
    return PlanView(
        proposed=proposed,
        planner=_planner(fold, proposed),
        parallel_groups=proposed.plan.parallel_groups,
        is_waiting=request_id in fold.thread.requests,
        outcome=fold.thread.outcomes.get(request_id),
    )


def plan_of(fold: ThreadFold, revision: int) -> ProposedPlan:
    """Return one revision.

    Raises:
        NotFoundError: The thread has none of that number.
    """
    found = next((p for p in fold.thread.plans if p.revision == revision), None)
    if found is None:
        known = ", ".join(str(p.revision) for p in fold.thread.plans) or "none yet"
        thread = fold.thread.thread_id
        raise NotFoundError(f"thread {thread!r} has no plan {revision}; revisions: {known}")
    return found


def difference(before: ProposedPlan, after: ProposedPlan) -> PlanChanges:
    """Return what changed; the handoff packet, which follows the plan, where nothing else did."""
    found = changes(before.plan, after.plan)
    if not found.is_empty or before.handoff == after.handoff:
        return found
    packet = FieldChange(field="handoff packet", before=before.handoff, after=after.handoff)
    return found.model_copy(update={"fields": (packet,)})


def comparison(fold: ThreadFold, revisions: list[int] | None) -> Comparison:
    """Return plans side by side: those that are named, else those that wait, else the newest one.

    Raises:
        NotFoundError: The thread has no such plan, or none at all.
    """
    state = fold.thread
    waiting = [p.revision for p in state.plans if p.request.request_id in state.requests]
    wanted = dict.fromkeys(revisions or waiting or [len(state.plans)])
    history = _history(fold)
    return compared(
        summarised(
            found.plan,
            history,
            revision=found.revision,
            planner=_planner(fold, found),
            warnings=len(found.warnings),
        )
        for found in (plan_of(fold, revision) for revision in wanted)
    )


def _planner(fold: ThreadFold, proposed: ProposedPlan) -> str:
    session = fold.thread.sessions.get(proposed.session_id)
    name = " ".join(part for part in (session.agent, session.model) if part) if session else ""
    return f"{name}, changed by {proposed.by}" if proposed.by else name


def _history(fold: ThreadFold) -> list[FinishedTaskCost]:
    """Return the cost of the thread's finished tasks."""
    return [
        FinishedTaskCost(
            mode=entry.task.mode, turns=entry.progress.turns, tokens=entry.progress.tokens
        )
        for entry in fold.thread.tasks.values()
        if entry.progress is not None and entry.status is TaskStatus.COMPLETED
    ]
