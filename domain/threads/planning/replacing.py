"""What became of plans and other requests that wait for a person no more, in words."""

from domain.core.approvals import Choice, Outcome
from domain.threads.planning.state import ProposedPlan
from domain.threads.state import ThreadState


def replaced_words(state: ThreadState) -> str:
    """Say which plans wait now and are asked about no more once planning begins anew; empty for none."""
    names = [plan.request.request_id for plan in state.plans if plan.is_among(state.requests)]
    if not names:
        return ""
    verb = "is" if len(names) == 1 else "are"
    return f"{' and '.join(names)}, which waited for you, {verb} replaced by the new plan"


def answered_requests(state: ThreadState) -> dict[str, str]:
    """Return what became of each request that waits no more, by its id: `was replaced by plan-2`."""
    plans = {
        plan.request.request_id: _gone(plan, state)
        for plan in state.plans
        if not plan.is_among(state.requests)
    }
    decided = {name: _decided(outcome) for name, outcome in state.outcomes.items()}
    return {name: words for name, words in (plans | decided).items() if name not in state.requests}


def _decided(outcome: Outcome) -> str:
    choice = "approved" if outcome.choice is Choice.APPROVE else "rejected"
    return f"was already {choice} by {outcome.by}" if outcome.by else f"was already {choice}"


def _gone(plan: ProposedPlan, state: ThreadState) -> str:
    later = (other.revision for other in state.plans if other.revision > plan.revision)
    successor = plan.superseded_by or next(later, None)
    if successor is not None:
        return f"was replaced by plan-{successor}"
    again = "another plan is being made" if state.is_planning else "planning was cancelled"
    return f"is asked about no more: {again}"
