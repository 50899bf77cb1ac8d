"""Who is asked about the tasks of a plan: a person's choice comes before plan, settings and template."""

from collections.abc import Iterable

from domain.core.autonomy import Autonomy
from domain.core.ids import TaskId
from domain.core.wire import Wire
from domain.plans.plan import PlannedTask, RunsAs, TaskPlanApproval
from domain.plans.templates.template import GatePolicy, PlanApproval
from domain.threads.events import ThreadOpened


class AutonomyOption(Wire):
    """Where a plan would stop for a person: at the plans and at the gates of these tasks.

    Without a `autonomy` it is what plan, settings and template say. A node that runs as a thread has
    neither: it stops where its own plan does. The one that settings and template have for a task of
    which the plan says nothing `is_usual`: whatever an agent plans, none freer is.
    """

    autonomy: Autonomy | None = None
    plans: tuple[TaskId, ...] = ()
    gates: tuple[TaskId, ...] = ()
    is_usual: bool = False


def inherited(opened: ThreadOpened | None) -> Autonomy | None:
    """Return the autonomy of the plan that a child thread is a node of."""
    return opened.parent.autonomy if opened and opened.parent else None


def approval_of(
    task: PlannedTask, opened: ThreadOpened | None, autonomy: Autonomy | None
) -> PlanApproval | None:
    """Return who approves a task's own plan, None where it is not planned."""
    chosen = opened.planner.plan_approval if opened else None
    default = opened.template.plan_approval if opened else None
    approval = chosen or _own_approval(task, default)
    if autonomy is None or task.runs_as is RunsAs.THREAD:
        return approval
    if autonomy is Autonomy.EACH_PLAN:
        return PlanApproval.USER
    return PlanApproval.AUTO if approval else None


def _own_approval(task: PlannedTask, default: PlanApproval | None) -> PlanApproval | None:
    match task.plan_approval:
        case None:
            return default
        case TaskPlanApproval.NONE:
            return None
        case own:
            return PlanApproval(own)


def gate_of(task: PlannedTask, opened: ThreadOpened, autonomy: Autonomy | None) -> GatePolicy:
    """Return who closes a task's gate; a plan that says `ask` itself is asked about in any case.

    What is to come into AGENTS.md is instructions of all later agents: a person always closes its gate.
    """
    if opened.promotes:
        return GatePolicy.ASK
    if autonomy is None:
        return task.gate or opened.template.gate
    return (task.gate or GatePolicy.AUTO) if autonomy is Autonomy.AUTO else GatePolicy.ASK


def autonomy_options(
    tasks: Iterable[PlannedTask], opened: ThreadOpened
) -> tuple[AutonomyOption, ...]:
    """Return where tasks would stop as they are planned, and with each autonomy."""
    own = [task for task in tasks if task.runs_as is RunsAs.TASK]
    return tuple(
        AutonomyOption(
            autonomy=autonomy,
            plans=tuple(t.id for t in own if approval_of(t, opened, run) is PlanApproval.USER),
            gates=tuple(t.id for t in own if gate_of(t, opened, run) is GatePolicy.ASK),
            is_usual=autonomy is not None and autonomy is _usual(opened),
        )
        for autonomy, run in ((None, inherited(opened)), *zip(Autonomy, Autonomy, strict=True))
    )


def _usual(opened: ThreadOpened) -> Autonomy | None:
    """Return the autonomy that settings and template amount to, None where it is none of them."""
    if autonomy := inherited(opened):
        return autonomy
    is_planned = (
        opened.planner.plan_approval or opened.template.plan_approval
    ) is PlanApproval.USER
    if opened.template.gate is GatePolicy.AUTO:
        return None if is_planned else Autonomy.AUTO
    return Autonomy.EACH_PLAN if is_planned else Autonomy.GATES
