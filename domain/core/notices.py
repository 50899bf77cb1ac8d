"""Events that every kind of stream can have."""

from typing import Literal

from domain.core.event import EventBody


class ResourceWarned(EventBody):
    """Something runs short."""

    kind: Literal["resource_warned"] = "resource_warned"
    message: str


class WorkflowTerminated(EventBody):
    """Somebody ended the thread or run of a flow in Temporal, or its workflow failed: it never goes on."""

    kind: Literal["workflow_terminated"] = "workflow_terminated"
    reason: str = ""


class CommandRejected(EventBody):
    """A signal asked for something that was refused; nothing changed."""

    kind: Literal["command_rejected"] = "command_rejected"
    command: str
    type: str
    reason: str
