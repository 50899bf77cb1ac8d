"""What requests about schedules and workflow templates say."""

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from api.bodies import CommandBody, Folder, Name, Optional
from api.queue_bodies import WaitingFlow, WaitingThread
from domain.core.command import MAX_GOAL
from domain.core.ids import is_name
from domain.queue.schedules.cron import MAX_CRON
from domain.queue.schedules.schedule import OverlapPolicy


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
