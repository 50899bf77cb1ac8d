"""A host without terminals."""

from domain.agents.hosting import TerminalRequest
from domain.agents.terminals import Terminal, TerminalOutput
from domain.core.errors import InvalidError, NotFoundError
from domain.core.ids import SessionId, StreamId


class NoTerminals:
    """No terminals, and a list of whose were ended."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    async def create(self, request: TerminalRequest) -> Terminal:
        raise InvalidError("no terminals here")

    def of(self, owner: StreamId) -> tuple[Terminal, ...]:
        return ()

    def output(self, terminal: StreamId, since: int = 0, limit_bytes: int = 0) -> TerminalOutput:
        raise NotFoundError("no terminals here")

    async def wait(self, terminal: StreamId, seconds: float) -> Terminal:
        raise NotFoundError("no terminals here")

    async def kill(self, terminal: StreamId, note: str = "killed") -> Terminal:
        raise NotFoundError("no terminals here")

    async def release(self, terminal: StreamId) -> None: ...

    async def end_all(self, owner: StreamId, note: str) -> None:
        self.ended.append(owner)

    def unreported_exits(self, session_id: SessionId) -> tuple[Terminal, ...]:
        return ()
