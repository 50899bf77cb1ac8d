"""A fake checker of agents, for workflow tests: it does what the test says."""

from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from domain.agents.checks import Capabilities, CheckResult, Seen
from domain.agents.past_sessions import PastSession, Recalled
from domain.core.errors import TreadleError


class PaperBench:
    """Agents that start, or fail as the test says; what is kept lies in `kept`."""

    def __init__(self) -> None:
        self.failure: TreadleError | None = None
        self.sessions: tuple[PastSession, ...] = ()
        self.kept: list[tuple[str, CheckResult, Seen | None]] = []

    async def install(self, profile, tell) -> str:
        await tell(f"installing {profile.name}")
        self._fail()
        return "1.2.3"

    async def look(self, profile, turn, tell) -> Seen:
        self._fail()
        return Seen(
            key="k",
            at=datetime.now(UTC),
            version="fake 1.2.3",
            capabilities=Capabilities(load=True),
        )

    async def listed(self, profile, turn, repository) -> tuple[PastSession, ...]:
        self._fail()
        return self.sessions

    async def recalled(self, profile, turn, repository, session_id) -> Recalled:
        self._fail()
        return Recalled(session=next(s for s in self.sessions if s.session_id == session_id))

    @asynccontextmanager
    async def scratch(self, stream):
        yield Path("/scratch")

    def keep(self, profile, result, seen) -> None:
        self.kept.append((profile.name, result, seen))

    def _fail(self) -> None:
        if self.failure is not None:
            raise self.failure
