"""What a sandbox refused, as far as it can be told: hosts for certain, files and ports by errors.

The kernel tells nobody but the process which file or port it refused, so its own errors are read. They
may also be of rights that it would lack without a sandbox.
"""

import re
from collections import deque
from collections.abc import Iterator

from pydantic import JsonValue

from domain.core.text import on_one_line

REFUSED = "the sandbox refused "
"""How the notice of a refused host begins."""

MAX_TOLD = 10
_MAX_TEXT = 64 << 10
_MAX_LINE = 500
_DENIED = r"(?:permission denied|read-only file system|operation not permitted)"
_IS_DENIED = re.compile(rf"{_DENIED}|EACCES", re.IGNORECASE)
_FILES = (
    # Python, Node: [Errno 13] Permission denied: '/x', EROFS: read-only file system, open '/x'
    re.compile(rf"{_DENIED}[^'\"/]{{0,30}}['\"](?P<place>[^'\"]+)['\"]", re.IGNORECASE),
    # touch: cannot touch '/x': Permission denied
    re.compile(rf"['\"](?P<place>[^'\"]+)['\"]: {_DENIED}", re.IGNORECASE),
    # open /x: read-only file system
    re.compile(rf"(?:^|\s)(?P<place>[^\s'\":]*/[^\s'\":]*): {_DENIED}", re.IGNORECASE),
)
_ADDRESS = r"(?P<host>\[[0-9a-f:]+\]|[A-Za-z0-9.-]*[A-Za-z0-9*]|::):(?P<port>\d{1,5})\b"
_PORTS = (
    # connect EACCES 127.0.0.1:5432, listen EACCES: permission denied 0.0.0.0:3000
    re.compile(rf"EACCES[^\n]{{0,40}}?\s{_ADDRESS}"),
    # dial tcp 127.0.0.1:5432: connect: permission denied
    re.compile(rf"{_ADDRESS}[^'\"/]{{0,20}}permission denied", re.IGNORECASE),
    # connect to host x port 22: Permission denied, (127.0.0.1), port 5432 failed: Permission denied
    re.compile(r"port (?P<port>\d{1,5})\b[^'\"/]{0,60}permission denied", re.IGNORECASE),
)


class Refusals:
    """What is known of the refusals of one run."""

    def __init__(self) -> None:
        self._hosts: dict[str, None] = {}
        self._read: dict[str, None] = {}

    def heard(self, notice: str) -> None:
        """Take a notice; those of other things are let pass."""
        if notice.startswith(REFUSED):
            self._hosts[on_one_line(notice.removeprefix(REFUSED))] = None

    def read(self, text: str) -> None:
        """Take what a program printed."""
        for place in refused_in(text):
            self._read[place] = None

    @property
    def words(self) -> str:
        """One line for people; nothing where nothing was refused."""
        hosts = f"the sandbox refused: {_some(self._hosts)}" if self._hosts else ""
        read = (
            f"by the agent's own errors it was refused: {_some(self._read)}" if self._read else ""
        )
        return "; ".join(filter(None, (hosts, read)))


def refused_in(text: str) -> Iterator[str]:
    """Yield the ports and files whose refusal a program's output tells, ports first.

    >>> [*refused_in("connect EACCES 127.0.0.1:5432")]
    ['port 5432']
    >>> [*refused_in("touch: cannot touch '/etc/x': Read-only file system")]
    ['file /etc/x']
    """
    lines = [line[:_MAX_LINE] for line in text[-_MAX_TEXT:].splitlines() if _IS_DENIED.search(line)]
    for line in lines:
        yield from (f"port {m['port']}" for pattern in _PORTS for m in pattern.finditer(line))
    for line in lines:
        yield from (f"file {m['place']}" for pattern in _FILES for m in pattern.finditer(line))


def texts_in(value: JsonValue) -> Iterator[str]:
    """Yield the texts in what an agent told of a call, at any depth."""
    waiting = deque([value])
    while waiting:
        match waiting.popleft():
            case str() as text:
                yield text
            case list() as items:
                waiting.extend(items)
            case dict() as fields:
                waiting.extend(fields.values())
            case _:
                pass


def _some(places: dict[str, None]) -> str:
    named = [*places]
    more = f" and {len(named) - MAX_TOLD} more" if len(named) > MAX_TOLD else ""
    return ", ".join(named[:MAX_TOLD]) + more
