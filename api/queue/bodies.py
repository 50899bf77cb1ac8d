"""Bodies of requests about the queue, schedules and workflow templates."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from api.core.bodies import CommandBody, Folder, Name, Optional, PlacedBody
from api.flows.bodies import FlowRunBody
from api.threads.bodies import ThreadBody
from domain.core.command import MAX_GOAL
from domain.core.ids import is_name
from domain.queue.commands import MAX_AT_ONCE
from domain.queue.entry import MAX_AFTER, QueueLimits
from domain.queue.schedules.cron import MAX_CRON
from domain.queue.schedules.schedule import OverlapPolicy

Priority = Annotated[int, Field(ge=1, le=5, description="From 1 (first) to 5 (last)")]
After = Annotated[list[Name], Field(max_length=MAX_AFTER - 1)]
"""What an item waits for, besides its `base`."""


class WaitingThread(ThreadBody):
    """A goal to queue; other items of the request refer to it by `name` in `after` and `base`.

    With a `base` it also waits for that thread, and starts from its branch instead of `HEAD`.
    It is always planned: a chat has no end that others could wait for.
    """

    is_planned: bool = True
    kind: Literal["thread"] = "thread"
    name: Name | None = None
    priority: Priority = 3
    after: After = []
    base: Name | None = None


class WaitingFlow(FlowRunBody):
    """A flow run to queue."""

    kind: Literal["flow"]
    flow: Name
    name: Name | None = None
    after: After = []


def _kind(item: Any) -> Any:
    """Return the kind of an item; the default is a thread."""
    return item.get("kind", "thread") if isinstance(item, dict) else getattr(item, "kind", None)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] (any JSON)


Waiting = Annotated[
    Annotated[WaitingThread, Tag("thread")] | Annotated[WaitingFlow, Tag("flow")],
    Discriminator(_kind),
]


class QueueBody(CommandBody):
    """Items to queue, all or none.

    `after` names threads, flow runs, entries, or items of the same request by their `name`.
    """

    items: list[Waiting] = Field(min_length=1, max_length=MAX_AT_ONCE)


class MoveBody(CommandBody):
    """Where to move an entry: before another, to a priority, or by default to the front."""

    before: Name | None = None
    priority: Priority | None = None


class HoldBody(CommandBody):
    """The reason for a hold."""

    reason: str = Field(default="", max_length=200)


class ReleaseBody(CommandBody):
    """Whether to start an entry even if its dependencies have not completed."""

    is_anyway: bool = False


class LimitsBody(CommandBody):
    """How much may run at once; `are_default` resets all limits to the settings."""

    max_running: int | None = Field(default=None, ge=1, le=1_000)
    per_project: int | None = Field(default=None, ge=1, le=1_000)
    per_host: int | None = Field(default=None, ge=1, le=1_000)
    max_reviews: int | None = Field(default=None, ge=0, le=10_000)
    are_default: bool = False

    def over(self, limits: QueueLimits) -> QueueLimits | None:
        """Return the new limits, or None for those of the settings."""
        if self.are_default:
            return None
        fields = self.model_dump(exclude={"command_id", "are_default"}, exclude_none=True)
        return limits.model_copy(update=fields)


def _named(text: str) -> str:
    if not is_name(text):
        raise PydanticCustomError(
            "bad_value", "must be at most 63 lowercase letters, digits and dashes"
        )
    return text


class ScheduleBody(CommandBody):
    """A schedule to add; the default `timezone` is this machine's."""

    name: Annotated[Name, AfterValidator(_named)]
    cron: Annotated[str, Field(max_length=MAX_CRON)]
    timezone: Name | None = None
    overlap: Annotated[OverlapPolicy, Field(strict=False)] = OverlapPolicy.SKIP
    item: WaitingThread | WaitingFlow


class WorkflowStartBody(PlacedBody):
    """Parameters of a workflow template; `agent` is for goals that name none."""

    repository: Folder
    parameters: dict[str, Annotated[Optional, Field(max_length=MAX_GOAL)]] = Field(
        default={}, max_length=100
    )
    agent: Name | None = None
    model: Name | None = None
