"""What changed between two plans: + added, ~ changed, - removed, per task and field."""

from collections.abc import Mapping
from enum import StrEnum

from domain.core.wire import Wire
from domain.plans.plan import Decision, Plan, PlannedTask
from domain.plans.templates.template import GitOverrides


class Sign(StrEnum):
    """How a part of a plan changed."""

    ADDED = "+"
    CHANGED = "~"
    REMOVED = "-"


class FieldChange(Wire):
    """One field before and after, as people read it."""

    field: str
    before: str
    after: str


class PartChange(Wire):
    """A task or decision that was added, changed or removed; `fields` of a changed one alone."""

    sign: Sign
    id: str
    title: str
    fields: tuple[FieldChange, ...] = ()

    @property
    def line(self) -> str:
        """The change in one line."""
        names = ", ".join(change.field for change in self.fields)
        return f"{self.sign} {self.id}: {self.title}" + (f" ({names})" if names else "")


class PlanChanges(Wire):
    """All that changed; `is_reordered` when tasks of both stand in another order."""

    fields: tuple[FieldChange, ...] = ()
    tasks: tuple[PartChange, ...] = ()
    decisions: tuple[PartChange, ...] = ()
    is_reordered: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return not (self.fields or self.tasks or self.decisions or self.is_reordered)


def changes(before: Plan, after: Plan) -> PlanChanges:
    """Return what makes one plan the other; tasks and decisions are the same by their ids."""
    old: dict[str, PlannedTask] = {task.id: task for task in before.tasks}
    new: dict[str, PlannedTask] = {task.id: task for task in after.tasks}
    kept = [task_id for task_id in old if task_id in new]
    return PlanChanges(
        fields=_fields(_plan_fields(before), _plan_fields(after)),
        tasks=tuple(task_changes(old, new)),
        decisions=tuple(
            _parts(
                {d.id: (d.question, _decision_fields(d)) for d in before.decisions},
                {d.id: (d.question, _decision_fields(d)) for d in after.decisions},
            )
        ),
        is_reordered=kept != [task_id for task_id in new if task_id in old],
    )


def task_changes(
    old: Mapping[str, PlannedTask], new: Mapping[str, PlannedTask]
) -> list[PartChange]:
    """Return the changes from one set of tasks to another, in the order of the new one."""
    return _parts(
        {task_id: (task.title, _task_fields(task)) for task_id, task in old.items()},
        {task_id: (task.title, _task_fields(task)) for task_id, task in new.items()},
    )


_Part = tuple[str, dict[str, str]]


def _parts(old: Mapping[str, _Part], new: Mapping[str, _Part]) -> list[PartChange]:
    found: list[PartChange] = []
    for name, (title, fields) in new.items():
        if name not in old:
            found.append(PartChange(sign=Sign.ADDED, id=name, title=title))
        elif changed := _fields(old[name][1], fields):
            found.append(PartChange(sign=Sign.CHANGED, id=name, title=title, fields=changed))
    found += [
        PartChange(sign=Sign.REMOVED, id=name, title=title)
        for name, (title, _) in old.items()
        if name not in new
    ]
    return found


def _fields(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[FieldChange, ...]:
    return tuple(
        FieldChange(field=name, before=old[name], after=new[name])
        for name in old
        if old[name] != new[name]
    )


def _plan_fields(plan: Plan) -> dict[str, str]:
    return {
        "goal": plan.goal,
        "approach": plan.approach,
        "summary": plan.summary,
        "considerations": "\n".join(plan.considerations),
        "key risk": plan.key_risk,
        "verification": _steps(plan),
        "git": _git(plan.git),
    }


def _git(git: GitOverrides | None) -> str:
    found = git.model_dump(mode="json", exclude_none=True) if git else {}
    return ", ".join(f"{name}: {value}" for name, value in found.items())


def _task_fields(task: PlannedTask) -> dict[str, str]:
    return {
        "title": task.title,
        "description": task.description,
        "mode": task.mode,
        "owner": task.owner,
        "runs as": task.runs_as,
        "depends on": ", ".join(sorted(task.depends_on)),
        "area": ", ".join(task.area),
        "repositories": ", ".join(task.repositories),
        "ports": ", ".join(port.id for port in task.ports),
        "terminals": ", ".join(task.terminals),
        "verification": _steps(task),
        "retries": _shown(task.max_retries),
        "plan approval": _shown(task.plan_approval),
        "gate": _shown(task.gate),
        "allowed tools": ", ".join(task.allowed_tools),
        "denied tools": ", ".join(task.denied_tools),
        "tokens": _shown(task.max_tokens),
        "turns": _shown(task.max_turns),
        "money": "" if task.max_usd is None else f"{task.max_usd:g} USD",
        "decision": _shown(task.decision_id),
        "prompt suffix": task.prompt_suffix,
        "agent": " ".join(part for part in (task.agent, task.model) if part),
        "best of": _best_of(task),
    }


def _best_of(task: PlannedTask) -> str:
    if task.best_of is None:
        return ""
    judge = f", judged by {task.best_of.judge}" if task.best_of.judge else ""
    return f"{', '.join(task.best_of.agents) or 'one agent'} ({task.best_of.ends}{judge})"


def _decision_fields(decision: Decision) -> dict[str, str]:
    return {
        "header": decision.header,
        "question": decision.question,
        "options": "\n".join(f"{o.label}: {o.description}" for o in decision.options),
        "several": str(decision.multi_select).lower(),
        "default": _shown(decision.safe_default),
        "timeout": _shown(decision.timeout_seconds),
    }


def _steps(owner: Plan | PlannedTask) -> str:
    lines = (
        f"{step.label or step.type} [{step.type}: {step.subject}]"
        + ("" if step.required else " (optional)")
        + (f" (in group {step.parallel_group})" if step.parallel_group else "")
        + (f" (keeps {', '.join(step.keep)})" if step.keep else "")
        + (" (takes a picture)" if step.picture else "")
        for step in owner.verification
    )
    return "\n".join(lines)


def _shown(value: object) -> str:
    return "" if value is None else str(value)
