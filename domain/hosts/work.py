"""What a host does now, as lists show it."""

from domain.core.wire import Wire


class HostLine(Wire):
    """A thread or flow run on a host; `turns` are its tasks and conversations that are at work."""

    stream: str
    kind: str
    title: str = ""
    project: str = ""
    status: str = ""
    turns: int = 0


MOST_LINES = 50


class HostLines(Wire):
    """What is on a host: at most 50 lines, what is at work first; `total` counts all."""

    lines: tuple[HostLine, ...] = ()
    total: int = 0
