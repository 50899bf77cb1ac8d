"""A large plan as it is drawn on a terminal: its size, all that verifies it, and how it begins."""

from collections import Counter
from collections.abc import Iterable

from rich.console import RenderableType
from rich.text import Text

from cli.core.console import plain
from cli.core.long_lists import WHOLE_LIST, first_of, more_words
from domain.core.text import counted
from domain.plans.plan import Plan, PlannedTask, RunsAs
from domain.verification.steps import VerificationStep

_GROUPS, _TASKS, _STEPS = 8, 10, 15


def is_large(plan: Plan) -> bool:
    """Tell whether a plan has too many tasks for all of them to be drawn."""
    return len(plan.tasks) > WHOLE_LIST


def digest(plan: Plan, command: str) -> list[RenderableType]:
    """Draw the tasks of a large plan; `command` prints all of them."""
    lines: list[RenderableType] = [plain(_size(plan), "bold"), plain(f"  {_kinds(plan.tasks)}")]
    without = sum(not task.verification for task in plan.tasks)
    if without:
        lines.append(plain(f"  {counted(without, 'task')} without verification", "yellow"))
    lines += _steps(plan.tasks, command)
    shown, left = first_of(plan.tasks, _TASKS)
    lines.append(plain("First tasks", "bold dim"))
    lines += [_task(task) for task in shown]
    return [*lines, more_words(left, command)]


def shape_words(groups: Iterable[Iterable[str]]) -> str:
    """Return how many parallel groups there are and how large they are: `2 (10, 7)`."""
    sizes = [str(len(tuple(group))) for group in groups]
    shown, left = first_of(sizes, _GROUPS)
    more = f", … {left:,} more" if left else ""
    return f"{len(sizes):,} ({', '.join(shown)}{more})" if sizes else ""


def _size(plan: Plan) -> str:
    groups = plan.parallel_groups
    several = "groups" if len(groups) != 1 else "group"
    return f"{counted(len(plan.tasks), 'task')} in {several} {shape_words(groups)}"


def _kinds(tasks: tuple[PlannedTask, ...]) -> str:
    """Return how many tasks have each mode, and how many run or wait otherwise than most."""
    modes = Counter(str(task.mode) for task in tasks)
    words = [f"{number:,} {mode}" for mode, number in modes.most_common()]
    others = {
        "run as a thread": sum(task.runs_as is RunsAs.THREAD for task in tasks),
        "done by several agents": sum(task.is_contest for task in tasks),
        "wait for a decision": sum(bool(task.decision_id) for task in tasks),
        "without dependencies": sum(not task.depends_on for task in tasks),
    }
    return ", ".join((*words, *(f"{number:,} {what}" for what, number in others.items() if number)))


def _steps(tasks: tuple[PlannedTask, ...], command: str) -> list[RenderableType]:
    """Draw each verification step once, word for word, with the number of its tasks."""
    found = Counter(text for task in tasks for text in {_step(s) for s in task.verification})
    shown, left = first_of(found.most_common(), _STEPS)
    head = [plain("Verified by", "bold dim")] if found else []
    lines = [plain(f"  {number:>5,} × {step}", "cyan") for step, number in shown]
    return [*head, *lines, *([more_words(left, command, "different steps")] if left else [])]


def _step(step: VerificationStep) -> str:
    return f"{step.type}: {' '.join(step.subject.split())}{'' if step.required else ' (optional)'}"


def _task(task: PlannedTask) -> Text:
    after = f"  (after {', '.join(task.depends_on)})" if task.depends_on else ""
    title = " ".join(task.title.split())
    line = Text.assemble("  ", plain(task.id, "cyan"), "  ", plain(f"{title}{after}"))
    line.no_wrap, line.overflow = True, "ellipsis"
    return line
