"""What people still do with a thread or run of a flow whose workflow was terminated: archive it, delete it."""

from domain.core.event import AnyBody, Headline
from domain.core.ids import StreamId
from domain.core.wire import Wire
from domain.threads.lifecycle.calls import RemovalCall


class EndedInput(Wire):
    """One command for a `stream` that no workflow keeps: what is journaled of it, or what is removed.

    `workflow_id` is the command's own; `host` holds what is removed.
    """

    workflow_id: str
    stream: StreamId
    host: str
    events: tuple[AnyBody, ...] = ()
    headline: Headline | None = None
    removal: RemovalCall | None = None
