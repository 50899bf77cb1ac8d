"""What requests about the queue, schedules and workflow templates bring."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from api.core.bodies import CommandBody, Folder, Name, Optional
from api.flows.bodies import FlowRunBody
from api.threads.bodies import ThreadBody
from domain.core.command import MAX_GOAL
from domain.core.ids import is_name
from domain.queue.commands import MAX_AT_ONCE
from domain.queue.entry import MAX_AFTER, QueueLimits
from domain.queue.schedules.cron import MAX_CRON
from domain.queue.schedules.schedule import OverlapPolicy

Priority = Annotated[int, Field(ge=1, le=5, description="1 is first, 5 is last")]
After = Annotated[list[Name], Field(max_length=MAX_AFTER - 1)]
"""What an item waits for; a `base` may come to it."""


class WaitingThread(ThreadBody):
    """A goal that waits; `name` is how others of the same request name it in `after` and `base`.

    With a `base` it waits for that thread, too, and begins at its branch instead of `HEAD`.
    """

    kind: Literal["thread"] = "thread"
    name: Name | None = None
    priority: Priority = 3
    after: After = []
    base: Name | None = None


class WaitingFlow(FlowRunBody):
    """A run of a flow that waits."""

    kind: Literal["flow"]
    flow: Name
    name: Name | None = None
    after: After = []


def _kind(item: Any) -> Any:
    """Return what an item is: a thread, unless it says otherwise."""
    return item.get("kind", "thread") if isinstance(item, dict) else getattr(item, "kind", None)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] (any JSON)


Waiting = Annotated[
    Annotated[WaitingThread, Tag("thread")] | Annotated[WaitingFlow, Tag("flow")],
    Discriminator(_kind),
]


class QueueBody(CommandBody):
    """What shall wait, all or nothing.

    `after` names threads, flow runs, entries, and items of the same request by their `name`.
    """

    items: list[Waiting] = Field(min_length=1, max_length=MAX_AT_ONCE)


class MoveBody(CommandBody):
    """Where an entry goes: in front of another, or to a priority; without both to the very front."""

    before: Name | None = None
    priority: Priority | None = None


class HoldBody(CommandBody):
    """Why something is held."""

    reason: str = Field(default="", max_length=200)


class ReleaseBody(CommandBody):
    """Whether an entry starts although something that it waits for has not completed."""

    is_anyway: bool = False


class LimitsBody(CommandBody):
    """How much may run; what is left out stays, and with `are_default` the settings count again."""

    max_running: int | None = Field(default=None, ge=1, le=1_000)
    per_project: int | None = Field(default=None, ge=1, le=1_000)
    per_host: int | None = Field(default=None, ge=1, le=1_000)
    max_reviews: int | None = Field(default=None, ge=0, le=10_000)
    are_default: bool = False

    def over(self, limits: QueueLimits) -> QueueLimits | None:
        """Return the limits as they shall be, None for those of the settings."""
        if self.are_default:
            return None
        fields = self.model_dump(exclude={"command_id", "are_default"}, exclude_none=True)
        return limits.model_copy(update=fields)


def _named(text: str) -> str:
    if not is_name(text):
        raise PydanticCustomError(
            "bad_value", "must be lowercase letters, digits and dashes, at most 63"
        )
    return text


class ScheduleBody(CommandBody):
    """A schedule to add; without a `timezone` it goes by this machine's."""

    name: Annotated[Name, AfterValidator(_named)]
    cron: Annotated[str, Field(max_length=MAX_CRON)]
    timezone: Name | None = None
    overlap: Annotated[OverlapPolicy, Field(strict=False)] = OverlapPolicy.SKIP
    item: WaitingThread | WaitingFlow


class WorkflowStartBody(CommandBody):
    """A workflow template to start; `agent` does the goals that name none."""

    repository: Folder
    parameters: dict[str, Annotated[Optional, Field(max_length=MAX_GOAL)]] = Field(
        default={}, max_length=100
    )
    agent: Name | None = None
    model: Name | None = None
