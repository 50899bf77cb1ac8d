"""One chaos run: an engine, ten threads in flight, faults until enough runs were hit, then the check."""

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import httpx

from tests.chaos.checker import violations
from tests.chaos.engine import SupervisedEngine
from tests.chaos.evidence import Leftovers, Thread, cleaned, leftovers_of, thread_of
from tests.chaos.jobs import JOBS
from tests.chaos.person import Person
from tests.chaos.recovery import Recovery, Struck, recovery
from tests.chaos.schedule import KINDS, STOPPED, Fault, faults
from tests.e2e.engine import until

IN_FLIGHT = 10
STUCK_SECONDS = 60.0
"""With faults stopped, every thread goes on within this time."""


@dataclass
class Outcome:
    """What a run was and found."""

    seed: int
    struck: list[Struck] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    seconds: float = 0.0
    liveness_seconds: float = 0.0

    @property
    def affected(self) -> int:
        """How many runs were hit: threads in flight, counted at every fault."""
        return sum(fault.in_flight for fault in self.struck)

    @property
    def kinds(self) -> Counter[str]:
        """How many faults there were of each kind."""
        return Counter(fault.kind for fault in self.struck)

    def recovery(self, *kinds: str) -> Recovery:
        """Return how long agents stood still after faults of some kinds in a whole engine."""
        whole = [fault for fault in self.struck if not fault.is_early]
        return recovery(self.threads, [fault for fault in whole if fault.kind in kinds])


class ChaosRun:
    """Keeps threads in flight, strikes, and reads what came of it."""

    def __init__(self, folder: Path, seed: int, affected: int) -> None:
        self._folder = folder
        self._affected = affected
        self._engine = SupervisedEngine(folder)
        self._chance = random.Random(seed)  # noqa: S311  (can be had again by its seed)
        self._people: dict[asyncio.Task[None], Person] = {}
        self._outcome = Outcome(seed)

    async def run(self, threads: int = IN_FLIGHT) -> Outcome:
        """Strike until enough runs were affected, let everything end, and check."""
        began = time.monotonic()
        async with self._engine.running(), self._engine.http() as http:
            for _ in range(threads):
                self._begin(http)
            keeping = asyncio.create_task(self._keep_in_flight(http, threads))
            striking = asyncio.create_task(self._strike())
            await asyncio.wait((keeping, striking), return_when=asyncio.FIRST_COMPLETED)
            for task in (keeping, striking):
                if task.done() and (error := task.exception()):
                    self._outcome.violations.append(f"the run broke off: {error!r}")
                task.cancel()
            left = await self._let_end()
            self._outcome.threads = [await thread_of(p, http) for p in self._people.values()]
        self._outcome.violations += violations(self._outcome.threads, left)
        self._outcome.seconds = time.monotonic() - began
        return self._outcome

    def _begin(self, http: httpx.AsyncClient) -> None:
        number = len(self._people) + 1
        job = JOBS[number % len(JOBS)]
        chance = random.Random(self._chance.getrandbits(64))  # noqa: S311  (as above)
        person = Person(http, job, self._folder / f"thread-{number}", chance)
        self._people[asyncio.create_task(person.see_through())] = person

    async def _keep_in_flight(self, http: httpx.AsyncClient, threads: int) -> None:
        """Begin a thread for each that ends; returns when one broke, which is told as a violation."""
        while not any(task.done() and task.exception() for task in self._people):
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
            while len(self._running) < threads:
                self._begin(http)

    @property
    def _running(self) -> list[asyncio.Task[None]]:
        return [task for task in self._people if not task.done()]

    async def _strike(self) -> None:
        schedule = faults(self._outcome.seed)
        while self._outcome.affected < self._affected:
            fault = next(schedule)
            if not fault.is_early:
                await until(self._engine.is_up)
            await asyncio.sleep(fault.gap)  # the schedule itself
            await self._strike_once(fault)

    async def _strike_once(self, fault: Fault) -> None:
        in_flight = sum(bool(p.thread) and not p.is_done for p in self._people.values())
        struck = Struck(datetime.now(UTC), fault.kind, in_flight, not self._engine.is_up())
        if fault.kind == STOPPED:
            is_hit = await self._engine.stop_worker(fault.stop_seconds)
        else:
            is_hit = self._engine.strike(KINDS[fault.kind], self._chance)
        if is_hit:
            self._outcome.struck.append(struck)

    async def _let_end(self) -> Leftovers:
        """Wait for all threads, as long as each goes on; return what is left a while after."""
        began = time.monotonic()
        while running := self._running:
            await asyncio.wait(running, timeout=1)
            stuck = [self._people[task] for task in self._running if _is_stuck(self._people[task])]
            if stuck and time.monotonic() - began > STUCK_SECONDS:
                break
        self._outcome.liveness_seconds = time.monotonic() - began
        for task, person in self._people.items():
            task.cancel()
            if task.done() and not task.cancelled() and (error := task.exception()):
                self._outcome.violations.append(f"the person of {person.thread} gave up: {error!r}")
        return await cleaned(lambda: leftovers_of(self._engine))


def _is_stuck(person: Person) -> bool:
    newest = person.events[-1].event.at if person.events else datetime.min.replace(tzinfo=UTC)
    return (datetime.now(UTC) - newest).total_seconds() > STUCK_SECONDS
