"""One run: pull requests and issues on a forge with moods, a few at a time, while the worker is killed at random."""

import asyncio
import time
from pathlib import Path
from random import Random

import httpx

from adapters.files.key_ring import KeyRing
from adapters.temporal import connect
from domain.forges.projects import ForgeKind
from tests.chaos.publications.counting import Outcome
from tests.chaos.publications.issues import LABEL, NAME, Issues
from tests.chaos.publications.team import SCENARIO, TEMPLATE, Telling
from tests.e2e.engine import Engine
from tests.e2e.forged import ForgedJob, engine_with, forged_repository, tracker_of
from tests.forge.double import Double, forge_double
from tests.forge.moods import Moods

AT_ONCE = 5
PATIENCE_SECONDS = 600.0
_CALM = (15.0, 60.0)
"""Seconds between two kills, at least and at most."""


class PublicationsRun:
    """Pull requests by a seed."""

    def __init__(self, folder: Path, seed: int, number: int) -> None:
        self._folder = folder
        self._number = number
        self._chance = Random(seed)  # noqa: S311 - repeatable on purpose
        self._outcome = Outcome(seed)
        self._jobs: list[ForgedJob] = []

    async def run(self) -> Outcome:
        """Run all, and count."""
        began = time.monotonic()
        moods = Moods(seed=self._outcome.seed, rate=0.0, slow_seconds=0.5)
        with forge_double(ForgeKind.GITHUB, moods) as double:
            repository = forged_repository(self._folder, double, SCENARIO)
            tracker = tracker_of(double, repository, name=NAME, label=LABEL)
            engine = engine_with(double, self._folder / "engine", trackers=(tracker,))
            for name, auto in (("team", "off"), ("merging", "when_ready")):
                template = engine.config / "plan-templates" / name
                template.mkdir(parents=True)
                (template / "TEMPLATE.md").write_text(TEMPLATE.replace("AUTO", auto))
            await engine.start("temporal", "api", "worker")
            try:
                async with engine.http() as http:
                    await self._tell_all(engine, http, double, repository)
                    journaled = {job.thread: await job.journaled() for job in self._jobs}
            finally:
                engine.stop()
            self._outcome.count(double, journaled)
        self._outcome.moods.update({str(mood): n for mood, n in moods.counts.items()})
        self._outcome.seconds = time.monotonic() - began
        return self._outcome

    async def _tell_all(
        self, engine: Engine, http: httpx.AsyncClient, double: Double, repository: Path
    ) -> None:
        keys = KeyRing(engine.settings.payload_key_file)
        client = await connect(engine.settings.temporal_port, keys)
        places = asyncio.Semaphore(AT_ONCE)
        assert double.moods is not None
        double.moods.rate = 0.3

        async def one(number: int, seed: int) -> None:
            async with places:
                folder = self._folder / f"run-{number}"
                folder.mkdir()
                job = ForgedJob(engine, http, folder, double, repository)
                story = await Telling(job, client, seed).tell(PATIENCE_SECONDS)
                self._outcome.stories.append(story)
                self._jobs += [job] if job.thread else []

        issues = Issues(double, http, self._chance.randrange(2**31))
        seeds = [self._chance.randrange(2**31) for _ in range(self._number)]
        killer = asyncio.create_task(self._kill(engine))
        try:
            telling = (one(number, seed) for number, seed in enumerate(seeds))
            await asyncio.gather(issues.open(self._number), *telling)
            found = self._outcome
            found.issues_twice, found.issues_lost = await issues.counted(PATIENCE_SECONDS)
            found.issues = len(issues.made)
        finally:
            killer.cancel()
            await asyncio.gather(killer, return_exceptions=True)

    async def _kill(self, engine: Engine) -> None:
        while True:
            await asyncio.sleep(self._chance.uniform(*_CALM))  # the moment is the fault
            engine.kill("worker")
            self._outcome.kills += 1
            await engine.repair()
