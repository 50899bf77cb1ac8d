"""The bodies of requests that go on from a moment of the past."""

from typing import Annotated

from pydantic import Field

from api.bodies import CommandBody, Goal, Name
from api.dependencies import MAX_POSITION

Position = Annotated[int, Field(ge=1, le=MAX_POSITION)]
"""A position in the journal: what came at or before it counts."""


class ForkBody(CommandBody):
    """A moment of a thread to fork from; what is left out is as it was there.

    The work begins at the newest checkpoint of the thread's branch until then, or of the task or
    session whose `stream` is named.
    """

    position: Position
    stream: Name | None = None
    goal: Goal | None = None
    agent: Name | None = None
    model: Name | None = None
    is_planned: bool | None = None
    """Whether it begins with a planner; by default where the thread had one or a plan."""


class RetryBody(CommandBody):
    """A task to run again; with a `position` from its newest checkpoint until then."""

    position: Position | None = None
