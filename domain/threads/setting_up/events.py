"""Events of setting a thread's workspaces up."""

from typing import Literal

from domain.core.event import EventBody
from domain.recipes.results import SetUpResult


class SetUpStarted(EventBody):
    """Workspaces are being set up; again, where a person said so."""

    kind: Literal["set_up_started"] = "set_up_started"
    number: int
    recipe: str
    by: str = ""


class SetUpEnded(EventBody):
    """Workspaces can be made with what the recipe gives; with a failure, they cannot."""

    kind: Literal["set_up_ended"] = "set_up_ended"
    number: int
    result: SetUpResult


class SetUpSkipped(EventBody):
    """A person has tasks start without it."""

    kind: Literal["set_up_skipped"] = "set_up_skipped"
    by: str = ""


SetUpEvent = SetUpStarted | SetUpEnded | SetUpSkipped
