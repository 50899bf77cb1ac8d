"""Answers of a forge double that a test holds back, to kill who waits for them."""

import itertools
from threading import Event

from tests.e2e.engine import until
from tests.e2e.forged import ForgedJob
from tests.forge.double import Double
from tests.forge.routing import Asked


class Held:
    """Holds back the n-th answer to a route from now, after what it asks was carried out."""

    def __init__(self, double: Double, route: str, number: int = 1) -> None:
        self._route = route
        self._number = number
        self._asked = itertools.count(1)
        self._next = double.before_answer
        self.is_carried_out = Event()
        self.goes_on = Event()
        double.before_answer = self

    def __call__(self, route: str, asked: Asked) -> None:
        if route == self._route and next(self._asked) == self._number:
            self.is_carried_out.set()
            self.goes_on.wait(60)
        self._next(route, asked)


async def lost(job: ForgedJob, held: Held) -> None:
    """Kill the worker while the answer is held back, so that nobody gets it."""
    await until(held.is_carried_out.is_set)
    job.engine.kill("worker")
    held.goes_on.set()
    await job.engine.repair()
