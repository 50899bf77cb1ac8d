"""The agents and models that a plan names, and what is wrong with them where it is proposed."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, cast

from domain.core.agent_json import parse_json, read_fenced_json
from domain.core.errors import InvalidPlanError
from domain.plans.plan import Plan, PlannedTask
from domain.plans.proposals.limits import PlanLimits
from domain.plans.proposals.shape import shape_plan
from domain.verification.steps import VerificationStep

MAX_DOUBTS = 20
MAX_DOUBT = 500
MAX_NAMED = 10
MAX_NAME = 100

WhyNot = Callable[[str, str | None], str]
"""Says why an agent can't be used, or not with a model; empty where it can."""


class NamedAgent(NamedTuple):
    """An agent that a plan names, the place where it does, and the model that it shall have."""

    where: str
    agent: str
    model: str | None = None


class NamedAgents(Protocol):
    """Knows the agents of this host, and what models they have told of."""

    def why_not(self, repository: str | None, agent: str, model: str | None) -> str:
        """Say why an agent can't be used for a repository, or not with a model; empty where it can."""
        ...


def _agents_of(plan: Plan, usual: str = "") -> Iterator[NamedAgent]:
    """Yield each agent that a plan names; `usual` is the one of a task that names a model alone."""
    for step in plan.verification:
        yield from _reviewer("the plan's review", step)
    for task in plan.tasks:
        yield from _worker(task, usual)
        for step in task.verification:
            yield from _reviewer(f"a review of task {task.id!r}", step)


def _worker(task: PlannedTask, usual: str) -> Iterator[NamedAgent]:
    agent = task.agent or (usual if task.model else "")
    if agent:
        yield NamedAgent(f"task {task.id!r}", agent, task.model)
    if task.best_of is not None:
        for choice in task.best_of.everyone:
            yield NamedAgent(f"bestOf of task {task.id!r}", choice.agent, choice.model)


def _reviewer(where: str, step: VerificationStep) -> Iterator[NamedAgent]:
    if step.agent:
        yield NamedAgent(where, step.agent, step.model)


def find_doubts(raw: Any, why_not: WhyNot, usual: str = "") -> tuple[str, ...]:
    """Say which agents and models of a plan, or of an amendment, can't be used, at most 20.

    What can't be read has none: it is refused for that.
    """
    try:
        raw = _as_plan(parse_json(raw) if isinstance(raw, str) else raw)
        plan = shape_plan(raw, PlanLimits())
    except (InvalidPlanError, ValueError):
        return ()
    found = [f"{where}: {why}" for where, why in _unusable(plan, why_not, usual)]
    found += _templates(raw)
    return tuple(text[:MAX_DOUBT] for text in dict.fromkeys(found))[:MAX_DOUBTS]


def _as_plan(raw: Any) -> Any:
    """Return a plan as it is, and the tasks that an amendment adds or changes as a plan."""
    changes = _as_mapping(raw).get("changes")
    if not isinstance(changes, list):
        return raw
    found = map(_as_mapping, cast("list[Any]", changes))
    tasks = ({"id": c.get("task_id"), "title": "-", **_as_mapping(c.get("task"))} for c in found)
    return {"tasks": [task for task in tasks if task["id"] is not None]}


def _unusable(plan: Plan, why_not: WhyNot, usual: str) -> Iterator[tuple[str, str]]:
    named = tuple(_agents_of(plan, usual))
    reasons = {(agent, model): why_not(agent, model) for _, agent, model in named}
    for where, agent, model in named:
        if why := reasons[agent, model]:
            yield where, why


def _templates(raw: Any) -> Iterator[str]:
    """Yield that a template which a plan names is not taken: nothing of a plan has one."""
    plan = _as_mapping(raw)
    parts = [("the plan", plan)]
    for key in ("tasks", "steps"):
        tasks = plan.get(key)
        if isinstance(tasks, list):
            found = map(_as_mapping, cast("list[Any]", tasks))
            parts += [(f"task {str(task.get('id'))!r}", task) for task in found]
    for where, part in parts:
        if name := part.get("template"):
            yield (
                f"{where}: the template {str(name)[:MAX_NAME]!r} is not taken: a thread keeps its own, "
                "and a child thread has that of its parent"
            )


def _as_mapping(value: Any) -> dict[str, Any]:
    """Return a value that is an object in JSON; nothing for any other."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def find_doubts_in_reply(reply: str, why_not: WhyNot, usual: str = "") -> tuple[str, ...]:
    """Say the same of the plan that an agent wrote into its reply, if there is one."""
    found = read_fenced_json(reply)
    return find_doubts(found.value, why_not, usual) if found.is_there else ()
