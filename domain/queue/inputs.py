"""What the queue's workflow and its activities take and return."""

from domain.core.effects import Effect
from domain.core.ids import StreamId
from domain.core.inputs import WorkflowInput
from domain.core.summaries import Summarized
from domain.core.wire import Wire
from domain.queue.entry import EntryKind, QueueEntry, QueueLimits
from domain.queue.state import QueueState
from domain.queue.status import Load, Phase, WorkStatus

QUEUE = StreamId("queue")
"""The id of the one queue: its workflow and its stream in the journal."""


class QueueInput(WorkflowInput):
    """The queue; `carried` is the state of a run that continued as new."""

    defaults: QueueLimits = QueueLimits()
    carried: QueueState | None = None


class StartQueuedCall(Effect):
    """Start an entry's thread or flow run; `spec_ref` names the text of what it is started with."""

    entry_id: str
    kind: EntryKind
    spec_ref: str
    project: str
    priority: int
    attempt: int = 1

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"start {self.kind} {self.entry_id}, attempt {self.attempt}"


class StartedQueued(Wire):
    """Whether an entry was started, and on which host; `refusal` is the type of the error that refused it."""

    refusal: str = ""
    reason: str = ""
    host: str = ""


class NoteStart(Wire):
    """An attempt to start an entry is over."""

    entry_id: str
    attempt: int
    result: StartedQueued


class StatusQuery(Summarized):
    """What the queue knows: of its `own` started entries, of what is `needed`, and of all others.

    None is a standing that is not known.
    """

    own: dict[str, Phase | None] = {}
    needed: dict[str, Phase | None] = {}
    loads: tuple[Load, ...] = ()
    is_informed: bool = False

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        known = {*self.own, *self.needed}
        return f"wait until one of {len(known)} threads or runs changes"


class ChangedStatuses(Wire):
    """What has changed: the standings that are others now, and all loads."""

    statuses: dict[str, WorkStatus] = {}
    loads: tuple[Load, ...] = ()


def start_call(entry: QueueEntry) -> StartQueuedCall:
    """Return the call that starts an entry."""
    return StartQueuedCall(
        entry_id=entry.entry_id,
        kind=entry.kind,
        spec_ref=entry.spec_ref,
        project=entry.project,
        priority=entry.priority,
        attempt=entry.attempt,
    )


def status_query(state: QueueState) -> StatusQuery:
    """Return the call that tells when things stand otherwise than a state knows."""
    return StatusQuery(
        own={name: state.phase(name) for name in state.own},
        needed={name: state.phase(name) for name in state.needed},
        loads=state.loads,
        is_informed=state.is_informed,
    )
