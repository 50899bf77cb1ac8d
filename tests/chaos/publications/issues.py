"""Issues of a run: opened, labelled, edited and commented on while the worker is killed; each is to be one entry of the queue."""

import asyncio
from collections import Counter
from random import Random

import httpx

from domain.core.ids import issue_thread_id
from tests.forge.double import Double
from tests.forge.things import Ticket

LABEL = "treadle"
NAME = "work"
_LOOK_SECONDS = 3.0


class Issues:
    """Some issues, by a seed."""

    def __init__(self, double: Double, http: httpx.AsyncClient, seed: int) -> None:
        self._double = double
        self._http = http
        self._chance = Random(seed)  # noqa: S311 - repeatable on purpose
        self.made: list[Ticket] = []

    async def open(self, number: int) -> None:
        """Open some, one after the other, and change them and look at the tracker all the time."""
        for each in range(number):
            labels = LABEL if self._chance.random() < 0.5 else ""
            made = self._double.open_issue(
                self._double.path, f"Write note {each}", "A note.", labels=labels
            )
            self.made.append(made)
            self._change(self._chance.choice(self.made))
            await self._look()
        for made in self.made:
            self._double.label(made, LABEL)

    def _change(self, issue: Ticket) -> None:
        """Take the label away, give it again, edit the issue, or say something."""
        act = self._chance.randrange(4)
        if act == 0:
            self._double.label(issue)
        elif act == 1:
            self._double.label(issue, LABEL, "bug")
        elif act == 2:
            issue.title += "!"
        else:
            self._double.comment_as("mallory", issue, "/treadle approve abcdefgh2345")

    async def counted(self, patience: float) -> tuple[int, int]:
        """Look until every issue has an entry; returns how many have more than one, and none."""
        keys = [
            issue_thread_id(f"github {self._double.host}", str(each.id), 1) for each in self.made
        ]
        entries = Counter[str]()
        try:
            async with asyncio.timeout(patience):
                while not set(keys) <= set(entries):
                    await self._look()
                    entries = await self._entries()
        except TimeoutError:
            pass
        wanted = set(keys)
        twice = sum(count - 1 for count in entries.values())
        others = sum(entry not in wanted for entry in entries)
        return twice + others, sum(key not in entries for key in keys)

    async def _look(self) -> None:
        await self._http.post(f"/v1/trackers/{NAME}/look", json={})
        await asyncio.sleep(self._chance.uniform(0, _LOOK_SECONDS))  # the moment is the fault

    async def _entries(self) -> Counter[str]:
        answer = await self._http.get("/v1/queue")
        if not answer.is_success:
            return Counter()
        queue = answer.json()
        return Counter(each["entry"]["entry_id"] for each in (*queue["entries"], *queue["over"]))
