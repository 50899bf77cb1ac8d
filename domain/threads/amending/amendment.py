"""Amendments: how a running plan is to change, as a person or an agent proposes it.

What one may do is in domain/threads/amending/rules.py, how it is shown in domain/threads/amending/cards.py.
"""

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationError, field_validator

from domain.core.errors import InvalidAmendmentError
from domain.core.ids import TaskId
from domain.core.text import counted
from domain.core.wire import Wire, kept, size_bytes, whole_number
from domain.plans.plan import Decision

MAX_AMENDMENT_BYTES = 64 << 10
MAX_CHANGES = 100
MAX_DECISIONS = 20
MAX_WHY = 2_000
MAX_REASON = 500
MAX_ID = 300
_SHOWN = 10

Id = Annotated[TaskId, Field(min_length=1, max_length=MAX_ID)]


class ChangeKind(StrEnum):
    """What an amendment does to a task."""

    ADD = "add"
    MODIFY = "modify"
    REMOVE = "remove"
    REORDER = "reorder"
    ABORT = "abort"


class _Change(Wire):
    """Base of the changes; `reason` stands behind the change on its card."""

    kind: ClassVar[ChangeKind]

    reason: str = Field(default="", max_length=MAX_REASON)

    @property
    def named(self) -> tuple[TaskId, ...]:
        """The tasks that it names."""
        raise NotImplementedError


class AddTask(_Change):
    """A new task, with all that a task of a plan has; it comes last unless it is put elsewhere."""

    kind = ChangeKind.ADD

    change: Literal["add"] = "add"
    task: dict[str, Any]

    @property
    def named(self) -> tuple[TaskId, ...]:
        """Its id, as it was sent."""
        return (TaskId(str(self.task.get("id", ""))[:MAX_ID]),)


class ModifyTask(_Change):
    """Fields of a task that has not started, with their new values; the others stay."""

    kind = ChangeKind.MODIFY

    change: Literal["modify"] = "modify"
    task_id: Id
    task: dict[str, Any] = Field(min_length=1)

    @property
    def named(self) -> tuple[TaskId, ...]:
        """The task."""
        return (self.task_id,)


class RemoveTask(_Change):
    """A task that is not to be done."""

    kind = ChangeKind.REMOVE

    change: Literal["remove"] = "remove"
    task_id: Id

    @property
    def named(self) -> tuple[TaskId, ...]:
        """The task."""
        return (self.task_id,)


class ReorderTasks(_Change):
    """Tasks that come first of all that have not started, in this order, as far as they can start."""

    kind = ChangeKind.REORDER

    change: Literal["reorder"] = "reorder"
    order: tuple[Id, ...] = Field(min_length=1, max_length=MAX_CHANGES)

    @property
    def named(self) -> tuple[TaskId, ...]:
        """The tasks."""
        return self.order


class AbortTask(_Change):
    """A task to stop; alone of all changes it touches what runs."""

    kind = ChangeKind.ABORT

    change: Literal["abort"] = "abort"
    task_id: Id

    @property
    def named(self) -> tuple[TaskId, ...]:
        """The task."""
        return (self.task_id,)


Change = Annotated[
    AddTask | ModifyTask | RemoveTask | ReorderTasks | AbortTask,
    Field(discriminator="change"),
    kept("change"),
]


class Amendment(Wire):
    """Changes of one version of a plan, and why; all of them happen, or none.

    `decisions` are new questions to the person, for which tasks of its changes wait.
    """

    why: str = Field(min_length=1, max_length=MAX_WHY)
    base_version: int = Field(ge=1)
    changes: tuple[Change, ...] = Field(min_length=1, max_length=MAX_CHANGES)
    decisions: tuple[Decision, ...] = Field(default=(), max_length=MAX_DECISIONS)

    _is_a_number = field_validator("base_version", mode="before")(whole_number)

    @property
    def counts(self) -> str:
        """How much it changes, in words: `adds 2 tasks, removes 1 task`."""
        parts: list[str] = []
        for kind in ChangeKind:
            count = sum(change.kind is kind for change in self.changes)
            if kind is ChangeKind.REORDER and count:
                parts.append("reorders")
            elif count:
                verb = "modifies" if kind is ChangeKind.MODIFY else f"{kind}s"
                parts.append(f"{verb} {counted(count, 'task')}")
        if self.decisions:
            parts.append(f"asks {counted(len(self.decisions), 'question')}")
        return ", ".join(parts)


def plan_ended(ending: str) -> str:
    """Return why an amendment is closed where its plan ended."""
    return f"the plan was {ending} before a person decided"


def read_amendment(raw: Any) -> Amendment:
    """Read an amendment as it was sent.

    Raises:
        InvalidAmendmentError: It is none, or too large; with everything that is wrong at once.
    """
    try:
        size = size_bytes(raw)
    except ValueError as error:
        raise InvalidAmendmentError("the amendment is too deep, or no valid Unicode") from error
    if size > MAX_AMENDMENT_BYTES:
        raise InvalidAmendmentError(
            f"the amendment has {size} bytes, at most {MAX_AMENDMENT_BYTES}: say less, or send two"
        )
    try:
        amendment = Amendment.model_validate(raw)
    except ValidationError as error:
        raise InvalidAmendmentError(_problems(error)) from error
    if not amendment.why.strip():
        raise InvalidAmendmentError("why: say in a sentence why the plan should change")
    return amendment


def _problems(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)
    inside = [each for each in found if each["loc"][1:]]
    lines: list[str] = []
    for each in found[:_SHOWN]:
        if each["type"] == "too_short" and inside:
            continue  # wrong changes do not count, but they are told themselves
        place = ".".join(str(part) for part in each["loc"])
        lines.append(f"- {place or 'amendment'}: {each['msg'].lower()}")
    head = "the amendment is not one; it has why, base_version and changes, each with its `change`:"
    return "\n".join([head, *lines])
