"""What an event adds to the metrics."""

from collections.abc import Iterator
from typing import NamedTuple

from domain.agents.spending import Taken, taken_by
from domain.conversations.events import TurnDelayed, TurnEnded, TurnSlept
from domain.core.event import EventBody
from domain.core.lifecycle.events import SessionMergeEnded
from domain.flows.events import FlowCompleted, FlowFailed, FlowStopped
from domain.reading.measures import families as of
from domain.reading.measures.families import Family
from domain.tasks.events import GateDecided, TaskEnded, VerificationEnded, VerificationStepEnded
from domain.threads.events import MergeStepEnded, PlanCompleted, PlanDecided, TaskMerged
from domain.threads.landing.events import BranchMerged
from domain.threads.merging.events import ConflictFound
from domain.verification.steps import StepResult

_TOKEN_TYPES = ("input", "output", "cached", "thought")


class Measure(NamedTuple):
    """An amount that a counter grows by, or that a histogram observes."""

    family: Family
    labels: tuple[str, ...]
    amount: float = 1


_COUNTED: tuple[type[EventBody], ...] = (
    *(TurnEnded, TurnDelayed, TurnSlept, VerificationEnded, VerificationStepEnded, MergeStepEnded),
    *(TaskMerged, ConflictFound, BranchMerged, SessionMergeEnded, TaskEnded, PlanCompleted),
    *(PlanDecided, GateDecided, FlowCompleted, FlowFailed, FlowStopped),
)
KINDS = frozenset(str(body.model_fields["kind"].default) for body in _COUNTED)
"""The kinds of events that add anything."""


def told_of(body: EventBody) -> str:
    """Return what an event is about where two streams can have it, else nothing.

    The turns of a plan without tasks are in the stream of their session, too.
    """
    match body:
        case TurnEnded():
            return f"ended {body.result.turn_id}"
        case TurnDelayed() | TurnSlept():
            return f"{body.kind} {body.turn_id} {body.refusals}"
        case _:
            return ""


def measures_of(body: EventBody) -> Iterator[Measure]:
    """Yield what an event adds; nothing of one that is not measured."""
    match body:
        case TurnEnded() | TurnDelayed() | TurnSlept():
            yield from _of_turn(body)
        case VerificationEnded() | VerificationStepEnded() | MergeStepEnded():
            yield from _of_verification(body)
        case PlanDecided() | GateDecided():
            unit = "plan" if isinstance(body, PlanDecided) else "gate"
            outcome = body.outcome
            yield Measure(of.DECISIONS, (unit, str(outcome.choice), str(outcome.decider)))
        case TaskMerged() | ConflictFound() | BranchMerged() | SessionMergeEnded():
            yield from _of_merge(body)
        case _:
            yield from _of_end(body)


def _of_end(body: EventBody) -> Iterator[Measure]:
    match body:
        case TaskEnded():
            yield Measure(of.TASKS, (str(body.end),))
        case PlanCompleted():
            yield Measure(of.PLANS, (str(body.final_status),))
        case FlowCompleted() | FlowFailed() | FlowStopped():
            yield Measure(of.FLOW_RUNS, (str(body.kind).removeprefix("flow_"),))
        case _:
            return


def _of_turn(body: TurnEnded | TurnDelayed | TurnSlept) -> Iterator[Measure]:
    if isinstance(body, TurnEnded):
        result = body.result
        outcome = "failed" if result.failure is not None else str(result.stop_reason)
        yield Measure(of.TURNS, (result.agent, outcome))
        yield Measure(of.TURN_TIME, (result.agent,), result.duration_ms / 1000)
        yield from _taken(taken_by(result))
        return
    if isinstance(body, TurnDelayed):
        yield Measure(of.TURN_DELAYS, (body.provider,))
    if body.taken is not None:
        yield from _taken(body.taken)


def _taken(taken: Taken) -> Iterator[Measure]:
    model, usage = taken.model or "", taken.usage
    counts = {"ok": taken.tool_calls - taken.tool_failures, "failed": taken.tool_failures}
    for outcome, number in counts.items():
        if number > 0:
            yield Measure(of.TOOL_CALLS, (taken.agent, outcome), number)
    if usage is None:
        return
    for kind in _TOKEN_TYPES:
        if number := getattr(usage, f"{kind}_tokens"):
            yield Measure(of.TOKENS, (taken.agent, model, kind), number)
    if usage.cost:
        yield Measure(of.COST, (taken.agent, model, usage.currency), usage.cost)


def _of_verification(
    body: VerificationEnded | VerificationStepEnded | MergeStepEnded,
) -> Iterator[Measure]:
    if not isinstance(body, VerificationEnded):
        yield Measure(of.STEP_TIME, (_outcome(body.result),), body.result.duration_ms / 1000)
        return
    verdict = "passed" if body.passed else "failed"
    outcome = "held" if body.held else verdict if body.has_steps else "without_steps"
    yield Measure(of.VERIFICATIONS, (outcome,))


def _outcome(result: StepResult) -> str:
    if not result.is_executed:
        return "not_executed"
    return "passed" if result.passed else "failed"


def _of_merge(
    body: TaskMerged | ConflictFound | BranchMerged | SessionMergeEnded,
) -> Iterator[Measure]:
    match body:
        case TaskMerged():
            yield Measure(of.MERGES, ("task", "merged"))
        case ConflictFound():
            yield Measure(of.MERGES, ("task", "conflict"))
        case BranchMerged():
            yield Measure(of.MERGES, ("branch", "failed" if body.failure else "merged"))
        case SessionMergeEnded():
            if body.conflicts or body.failure or body.is_new:
                failed = "conflict" if body.conflicts else "failed" if body.failure else ""
                yield Measure(of.MERGES, ("chat", failed or "merged"))
