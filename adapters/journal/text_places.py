"""Which threads and flow runs name a long text: those who may read one of them may read it."""

from collections import OrderedDict

from sqlalchemy import select

from adapters.journal.engines import Engines
from adapters.journal.tables import EVENTS
from domain.core.ids import thread_of

LIMIT = 10_000


class TextPlaces:
    """The places, by the events of a journal; each text that was found is remembered."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._known: OrderedDict[str, frozenset[str]] = OrderedDict()

    def known(self, reference: str) -> frozenset[str]:
        """Return the threads, flow runs and other streams that are known to name a text."""
        return self._known.get(reference, frozenset())

    async def naming(self, reference: str) -> frozenset[str]:
        """Return all threads, flow runs and other streams that name a text; it reads the whole journal."""
        named = EVENTS.c.body.contains(f'_ref":"{reference}"', autoescape=True)
        query = select(EVENTS.c.stream).where(named).distinct()
        rows = await self._engines.lookups.run(lambda at: at.execute(query).scalars().all())
        found = frozenset(str(thread_of(stream)) for stream in rows)
        self._known.pop(reference, None)
        self._known[reference] = found
        if len(self._known) > LIMIT:
            self._known.popitem(last=False)
        return found
