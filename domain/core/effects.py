"""What activities take: one model each, carrying the events that must be journaled before it acts.

A workflow keeps its new events in an outbox. Whatever activity it starts next carries them, and a
worker journals them before the activity's own work (adapters/temporal/), so an event costs no
activity of its own where one is under way anyhow. Events are carried again until a carrier has
completed; the journal takes each once, by its id.
"""

from pydantic import Field

from domain.core.event import Event, Headline
from domain.core.progress import TaskProgress
from domain.core.summaries import Summarized, last_part, listed


class Effect(Summarized):
    """Base of every activity input: the events and headlines to journal first.

    `order` grows with every effect of a workflow, over continue-as-new as well: of two effects on
    one workspace the one with the larger (order, attempt) is the newer, and the other is stale. Where
    several workflows work in one, `grant` orders them. `progress` is what the thread is told, too.
    `generation` counts the hosts that its workflow worked on before this one.
    """

    events: tuple[Event, ...] = ()
    headlines: tuple[Headline, ...] = ()
    order: int = 0
    grant: int = 0
    generation: int = Field(default=0, exclude_if=lambda generation: not generation)
    progress: TaskProgress | None = None


class JournalCall(Effect):
    """Nothing but the events."""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"record {listed(event.body.kind for event in self.events) or 'the status'}"


class LeasePortCall(Effect):
    """Find a free port for a task; the same one when asked again."""

    owner: str
    port_id: str

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"port {self.port_id}"


class CodeCheck(Summarized):
    """Is this code the one for this workflow, request, choice, content and person?"""

    workflow_id: str
    request_id: str
    choice: str
    content_hash: str
    code: str
    by: str = ""
    door: str = ""
    is_stop: bool = False
    """Whether the command stops something, and so needs its code only where people have roles."""
    is_foreign: bool = False
    """Whether none of our programs sent it: it is a signal of Temporal's command line, or the like."""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"check the code of {last_part(self.request_id)}"
