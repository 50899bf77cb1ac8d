"""What a step of a flow asks a person."""

from domain.conversations.place import FlowPlace
from domain.core.approvals import content_hash
from domain.core.wire import Wire


class HumanRequest(Wire):
    """A question; one of the `options` answers it, or any text where there are none."""

    request_id: str
    question: str
    options: tuple[str, ...] = ()
    place: FlowPlace

    @property
    def content_hash(self) -> str:
        """What an answer binds to: exactly what was shown."""
        return content_hash(self)
