"""What doors show of a plan that runs, beside its tasks."""

from datetime import datetime
from typing import Any

from domain.core.autonomy import Autonomy
from domain.core.ids import SessionId
from domain.core.wire import Wire
from domain.plans.status import PlanStatus
from domain.threads.autonomy import AutonomyOption, autonomy_options
from domain.threads.evolution import tasks_of
from domain.threads.progress import progress_of
from domain.threads.running.health import Outstanding, outstanding
from domain.threads.state import ThreadState


class DecisionWait(Wire):
    """How long an open decision waits; `default` is what is taken then, if anything is."""

    due_at: datetime | None = None
    default: str | None = None
    is_expired: bool = False


class OwnTurnsView(Wire):
    """How many turns the thread's agent took without a message, and how many more it may take."""

    taken: int = 0
    left: int = 0
    is_running: bool = False


class RunningView(Wire):
    """What must be fixed, how long decisions wait, and who paused the plan and why.

    `coordinator` is the session that messages to the thread go to while a plan runs. `autonomy` is how
    freely it runs, where a person said so; `own_turns` are the turns that its agent takes without a message; `autonomy_options` is where each plan that waits would stop for
    them, by its request.
    """

    is_auto: bool = False
    auto_by: str = ""
    autonomy: Autonomy | None = None
    autonomy_options: dict[str, tuple[AutonomyOption, ...]] = {}
    paused: str = ""
    own_turns: OwnTurnsView = OwnTurnsView()
    coordinator: SessionId | None = None
    outstanding: tuple[Outstanding, ...] = ()
    waits: dict[str, DecisionWait] = {}


def amount_of(state: ThreadState) -> dict[str, Any]:
    """Return how much of a plan is done and what its tasks changed, as a thread's headline has it."""
    tasks = state.tasks
    return {
        **dict(progress_of(state)),
        "insertions": tasks.insertions,
        "deletions": tasks.deletions,
    }


def _autonomy_options(state: ThreadState) -> dict[str, tuple[AutonomyOption, ...]]:
    if state.opened is None:
        return {}
    waiting = (plan for plan in state.plans if plan.is_among(state.requests))
    return {
        plan.request.request_id: autonomy_options(tasks_of(plan.plan, state), state.opened)
        for plan in waiting
    }


def running_view(state: ThreadState) -> RunningView:
    """Return what is shown of a thread's running plan."""
    return RunningView(
        is_auto=state.is_auto,
        auto_by=state.auto_by,
        autonomy=state.autonomy if state.plan_status.is_live else None,
        autonomy_options=_autonomy_options(state),
        paused=state.paused if state.plan_status is PlanStatus.PAUSED else "",
        own_turns=OwnTurnsView(
            taken=state.own_turns.taken,
            left=state.own_turns_left,
            is_running=bool(state.own_turns.running),
        ),
        coordinator=state.coordinator,
        outstanding=outstanding(state),
        waits={
            decision.id: DecisionWait(
                due_at=state.decisions[decision.id].due_at,
                default=decision.safe_default,
                is_expired=state.decisions[decision.id].is_expired,
            )
            for decision in state.open_decisions
        },
    )
