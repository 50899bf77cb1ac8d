"""One run: pull requests on a forge with moods, a few at a time, while the worker is killed at random."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx

import domain.reading.event_kinds  # noqa: F401  (reads events by kind)
from adapters.files.key_ring import KeyRing
from adapters.temporal import connect
from domain.core.event import JournaledEvent
from domain.forges.projects import ForgeKind
from tests.chaos.publications.team import Story, Telling
from tests.e2e.engine import Engine
from tests.e2e.forged import ForgedJob, engine_with, forged_repository
from tests.forge.double import Double, forge_double
from tests.forge.moods import Moods

AT_ONCE = 5
PATIENCE_SECONDS = 240.0
_CALM = (8.0, 24.0)
"""Seconds between two kills, at least and at most."""


@dataclass
class Outcome:
    """What was counted over the pull requests of one seed."""

    seed: int
    stories: list[Story] = field(default_factory=list)
    opened_twice: int = 0
    answered_twice: int = 0
    merged_twice: int = 0
    merged_without_word: int = 0
    cards: int = 0
    cards_twice: int = 0
    comments: int = 0
    kills: int = 0
    moods: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    violations: list[str] = field(default_factory=list)

    @property
    def stuck(self) -> list[Story]:
        """The pull requests that did not come to their end in time."""
        return [story for story in self.stories if story.stuck_at]


class PublicationsRun:
    """Pull requests by a seed."""

    def __init__(self, folder: Path, seed: int, number: int) -> None:
        self._folder = folder
        self._number = number
        self._chance = Random(seed)  # noqa: S311 - repeatable on purpose
        self._outcome = Outcome(seed)
        self._events: dict[str, list[JournaledEvent]] = {}

    async def run(self) -> Outcome:
        """Run all, and count."""
        began = time.monotonic()
        moods = Moods(seed=self._outcome.seed, rate=0.0, slow_seconds=0.5)
        with forge_double(ForgeKind.GITHUB, moods) as double:
            engine = engine_with(double, self._folder / "engine")
            await engine.start("temporal", "api", "worker")
            try:
                async with engine.http() as http:
                    await self._tell_all(engine, http, double)
            finally:
                engine.stop()
            self._count(double)
        self._outcome.moods.update({str(mood): n for mood, n in moods.counts.items()})
        self._outcome.seconds = time.monotonic() - began
        return self._outcome

    async def _tell_all(self, engine: Engine, http: httpx.AsyncClient, double: Double) -> None:
        keys = KeyRing(engine.settings.payload_key_file)
        client = await connect(engine.settings.temporal_port, keys)
        repository = forged_repository(self._folder, double)
        places = asyncio.Semaphore(AT_ONCE)
        assert double.moods is not None
        double.moods.rate = 0.3

        async def one(number: int, seed: int) -> None:
            async with places:
                folder = self._folder / f"run-{number}"
                folder.mkdir()
                job = ForgedJob(engine, http, folder, double, repository)
                self._outcome.stories.append(
                    await Telling(job, client, seed).tell(PATIENCE_SECONDS)
                )
                self._events[job.thread or f"none-{number}"] = job.events

        seeds = [self._chance.randrange(2**31) for _ in range(self._number)]
        killer = asyncio.create_task(self._kill(engine))
        try:
            await asyncio.gather(*(one(number, seed) for number, seed in enumerate(seeds)))
        finally:
            killer.cancel()
            await asyncio.gather(killer, return_exceptions=True)

    async def _kill(self, engine: Engine) -> None:
        while True:
            await asyncio.sleep(self._chance.uniform(*_CALM))  # the moment is the fault
            engine.kill("worker")
            self._outcome.kills += 1
            await engine.repair()

    def _count(self, double: Double) -> None:
        """Count what must not be, from the forge's own books and from the journal."""
        found = self._outcome
        found.opened_twice = sum(count - 1 for count in double.opened.values())
        found.answered_twice = sum(count - 1 for count in double.written.values())
        found.comments = double.written.total()
        merges = Counter(number for _, number, _ in double.merges)
        found.merged_twice = sum(count - 1 for count in merges.values())
        for story in found.stories:
            pull = double.pulls.get((double.path, story.number))
            is_merged = pull is not None and (pull.state == "merged" or pull.will_merge_itself)
            is_by_hand = story.way == "by_hand" and not merges[story.number]
            if pull is not None and is_merged and not is_by_hand:
                found.merged_without_word += pull.commit not in story.merges
        for events in self._events.values():
            opened = Counter(
                event.event.body.model_dump()["item"]["item_id"]
                for event in {e.position: e for e in events}.values()
                if event.event.body.kind == "pull_request_item_opened"
            )
            found.cards += len(opened)
            found.cards_twice += sum(
                count - 1 for name, count in opened.items() if not name.startswith("unreachable")
            )
        self._tell_violations()

    def _tell_violations(self) -> None:
        found = self._outcome
        for name in ("opened_twice", "answered_twice", "merged_twice", "merged_without_word"):
            if count := getattr(found, name):
                found.violations.append(f"{name.replace('_', ' ')}: {count}")
        found.violations += [f"stuck {s.thread} #{s.number}: {s.stuck_at}" for s in found.stuck]
