"""A host: what its worker says of it, what people decided about it, and what it does."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from domain.core.wire import Wire

SILENT_SECONDS = 120
"""A host whose worker sent no heartbeat for so long is silent."""

LOST_SECONDS = 600
"""A host that was silent for so long is lost, if its work can go on elsewhere."""

MAX_LABELS = 32
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.=")


def checked_label(text: str) -> str:
    """Return a label as it is compared: in lower case."""
    label = text.strip().lower()
    if not label or len(label) > 64 or not _LETTERS.issuperset(label):  # noqa: PLR2004
        words = "a label has 1 to 64 of the characters a-z, 0-9, - _ . ="
        raise PydanticCustomError("bad_label", words)
    return label


Label = Annotated[str, AfterValidator(checked_label)]
Labels = Annotated[tuple[Label, ...], Field(max_length=MAX_LABELS)]


def label_list(text: str) -> tuple[str, ...]:
    """Return the labels of a list like `gpu, zone=a`."""
    return tuple(dict.fromkeys(checked_label(part) for part in text.split(",") if part.strip()))


def checked_labels(text: str) -> str:
    """Return a list of labels as it is written."""
    return ", ".join(label_list(text))


class HostState(StrEnum):
    """What people decided about a host."""

    UP = "up"
    CORDONED = "cordoned"
    DRAINING = "draining"
    LOST = "lost"


class HostSettings(Wire):
    """What this host is called, and what it says of itself."""

    name: str = Field(default="", max_length=64)
    """Name of this host in lists and for `--host`; the machine's name by default."""
    labels: Annotated[str, AfterValidator(checked_labels)] = ""
    """Labels that threads can ask for, like `gpu, zone=a`."""
    silent_seconds: int = Field(default=SILENT_SECONDS, ge=10, le=86_400)
    """A host whose worker sent no heartbeat for this many seconds is reported as silent."""
    lost_seconds: int = Field(default=LOST_SECONDS, ge=0, le=604_800)
    """Threads of a host that is silent for this many seconds go on at another one, if they can; 0 is never."""


class HostFacts(Wire):
    """What a worker says of its host when it starts; `machine` tells machines with the same id apart.

    While the host drains, `at_work` are the threads and flow runs that its worker works for. It may drain only until
    its worker starts again.
    """

    host: str
    name: str
    labels: Labels = ()
    slots: int = 1
    agents: tuple[str, ...] = ()
    version: str = ""
    machine: str = ""
    at_work: tuple[str, ...] | None = None
    is_until_start: bool = False


class Host(HostFacts):
    """A host as it stands.

    `silent_seconds` is the time since its last heartbeat; None where it has ended or sent none.
    `threads` are those that were placed there and are not over, `repositories` those of all that
    were. Each time it is declared lost, its `generation` is higher.
    """

    state: HostState = HostState.UP
    generation: int = 1
    silent_seconds: float | None = None
    threads: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()

    def is_silent(self, limit: float = SILENT_SECONDS) -> bool:
        """Whether its worker is not there."""
        return self.silent_seconds is None or self.silent_seconds > limit

    def has_fallen_silent(self, limit: float = SILENT_SECONDS) -> bool:
        """Whether its worker died or is cut off; one that was stopped, or whose host is lost, has not."""
        is_lost = self.state is HostState.LOST
        return not is_lost and self.silent_seconds is not None and self.silent_seconds > limit
