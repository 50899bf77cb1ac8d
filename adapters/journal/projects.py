"""Of which project a stream is, by the journal's headlines; it never changes."""

from sqlalchemy import select

from adapters.journal.engines import Engines
from adapters.journal.tables import HEADLINES
from domain.core.ids import thread_of

LIMIT = 10_000


class Projects:
    """The projects of threads and flow runs, remembered once they are known."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._known: dict[str, str] = {}
        self._begun: dict[str, str] = {}

    def note(self, top: str, project: str) -> None:
        """Remember the project of a thread or run that is about to begin; what the journal says counts."""
        _keep(self._begun, top, project)

    async def of(self, stream: str) -> str | None:
        """Return the project of the thread or flow run that a stream is of; None if there is none."""
        top = str(thread_of(stream))
        if (known := self._known.get(top)) is not None:
            return known
        query = select(HEADLINES.c.project).where(HEADLINES.c.stream == top)
        found: str | None = await self._engines.lookups.run(lambda at: at.execute(query).scalar())
        if found is None:
            return self._begun.get(top)
        _keep(self._known, top, found)
        return found

    async def every(self) -> list[str]:
        """Return all projects in which anything was ever done."""
        query = select(HEADLINES.c.project).distinct().order_by(HEADLINES.c.project)
        rows = await self._engines.lookups.run(lambda at: at.execute(query).scalars().all())
        return [str(project) for project in rows if project]


def _keep(kept: dict[str, str], top: str, project: str) -> None:
    if len(kept) >= LIMIT:
        kept.clear()
    kept[top] = project
