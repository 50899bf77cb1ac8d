"""Bodies of requests."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from domain.core.attachments import LIMIT_BYTES
from domain.core.command import MAX_GOAL, MAX_NAME, MAX_TEXT
from domain.core.ids import CommandId
from domain.core.wire import Body
from domain.hosts.host import MAX_LABELS, Label
from domain.hosts.placement import HostWish

ENCODED_LIMIT = (LIMIT_BYTES + 2) // 3 * 4
"""Characters of a whole attachment in base64."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_BLANK = re.compile(r"[\s\u200b-\u200f\u2060\ufeff]*")


def clean_text(text: str) -> str:
    """Refuse control characters."""
    if _CONTROL.search(text):
        raise PydanticCustomError("control_character", "must not contain control characters")
    return text


def _worded(text: str) -> str:
    if _BLANK.fullmatch(text):
        raise PydanticCustomError("empty", "must not be blank")
    return text


def _on_one_line(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise PydanticCustomError("control_character", "must be on one line")
    return clean_text(text)


Optional = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(clean_text)]
"""Text that may be empty."""

Worded = Annotated[Optional, AfterValidator(_worded)]
"""Text that is not blank."""

Goal = Annotated[Worded, Field(max_length=MAX_GOAL)]

RecipeText = Annotated[str, Field(max_length=65_536)]
"""A workspace recipe as its file has it (TOML)."""

Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(clean_text)]

Folder = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_on_one_line)]
"""A folder on the worker's machine."""


class EmptyBody(Body):
    """An empty object: `{}`."""


class CommandBody(Body):
    """A command without parameters; sending the same `command_id` again changes nothing."""

    command_id: CommandId = Field(default=CommandId(""), max_length=200)


class PlacedBody(CommandBody):
    """A thread or flow run to start, and where."""

    host: Annotated[str, Field(max_length=64)] = ""
    """Name or id of the host to work on. Default: one that has the repository and the labels, by load."""
    labels: Annotated[list[Label], Field(max_length=MAX_LABELS)] = []
    """Labels that its host must have."""

    @property
    def wish(self) -> HostWish:
        """Which hosts will do."""
        return HostWish(name=self.host, labels=tuple(self.labels))


class TopicBody(CommandBody):
    """A new name for a thread or flow run."""

    topic: Annotated[Worded, Field(max_length=200), AfterValidator(_on_one_line)]


class AssignBody(CommandBody):
    """Who takes care of a thread; empty is nobody in particular."""

    person: Annotated[str, Field(max_length=100)] = ""


class DeletionBody(CommandBody):
    """What to delete; with `is_forced` also while it runs, and work that exists nowhere else."""

    is_forced: bool = False


Selections = (
    Annotated[str, Field(max_length=MAX_NAME)]
    | Annotated[list[Annotated[str, Field(max_length=MAX_NAME)]], Field(max_length=100)]
)
"""Option labels: a list, or one text like `auth,logging`."""


def labels_of(selections: Selections) -> tuple[str, ...]:
    """Return the labels of a selection; one text is for its decision to split."""
    return (selections,) if isinstance(selections, str) else tuple(selections)
