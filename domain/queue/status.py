"""How threads and flow runs stand, as far as the queue goes by it."""

from enum import StrEnum

from domain.core.wire import Wire


class Phase(StrEnum):
    """What a thread or a flow run counts as.

    `working` takes a place; `asking` waits for a person; `resting` is neither (a chat, a paused
    plan); `failed` has ended otherwise than completed, and may be retried; `gone` was deleted.
    """

    WORKING = "working"
    ASKING = "asking"
    RESTING = "resting"
    COMPLETED = "completed"
    FAILED = "failed"
    GONE = "gone"

    @property
    def is_end(self) -> bool:
        """Whether nothing goes on unless a person wants it again."""
        return self in {Phase.COMPLETED, Phase.FAILED, Phase.GONE}


_PHASES = {
    "open": Phase.WORKING,
    "planning": Phase.WORKING,
    "running": Phase.WORKING,
    "idle": Phase.WORKING,
    "stopping": Phase.WORKING,
    "waiting": Phase.ASKING,
    "chat": Phase.RESTING,
    "paused": Phase.RESTING,
    "completed": Phase.COMPLETED,
    "failed": Phase.FAILED,
    "cancelled": Phase.FAILED,
    "stopped": Phase.FAILED,
    "terminated": Phase.FAILED,
}
"""By the status of a thread or of a flow run."""

ENDS = tuple(status for status, phase in _PHASES.items() if phase.is_end)
"""Every status of a thread or flow run that has ended."""


def phase_of(status: str) -> Phase:
    """Return what a status counts as; one that is not known takes a place."""
    return _PHASES.get(status, Phase.WORKING)


class WorkStatus(Wire):
    """How one thread or flow run stands; `status` is the word that people see."""

    phase: Phase
    status: str = ""

    @property
    def words(self) -> str:
        """The status, unless it may be taken for another: that of an entry that waits."""
        return "waiting for you" if self.phase is Phase.ASKING else self.status


class Load(Wire):
    """How many threads and flow runs of a project on a host work and ask, but for the queue's own."""

    project: str
    host: str = ""
    working: int = 0
    asking: int = 0
