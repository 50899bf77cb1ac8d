"""Which rules the plans of a thread must keep: those that held when it began."""

from domain.plans.proposals.limits import FORMER_LIMITS, PlanLimits, PlanRules
from domain.threads.patches import (
    BEST_OF,
    GATES_ARE_NAMED_ONCE,
    HEALTH_URLS_ARE_CHECKED,
    IDS_ARE_NO_SECRETS,
    LARGE_PLANS_ARE_DIGESTED,
    PLANS_ARE_LARGE,
)
from domain.threads.state import ThreadState


def plan_rules(state: ThreadState) -> PlanRules:
    """Return the rules of a thread's plans."""
    return PlanRules(
        names_gates_once=state.has_patch(GATES_ARE_NAMED_ONCE),
        names_few=state.has_patch(LARGE_PLANS_ARE_DIGESTED),
        checks_health_urls=state.has_patch(HEALTH_URLS_ARE_CHECKED),
        checks_secret_names=state.has_patch(IDS_ARE_NO_SECRETS),
        takes_best_of=state.has_patch(BEST_OF),
        beside=tuple(one.name for one in state.opened.beside) if state.opened else (),
        limits=PlanLimits() if state.has_patch(PLANS_ARE_LARGE) else FORMER_LIMITS,
    )
