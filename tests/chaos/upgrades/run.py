"""One rolling upgrade: commands all the time, while both hosts and the API are replaced, then the check."""

import asyncio
import random
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from temporalio.api.workflowservice.v1 import DescribeWorkerDeploymentRequest
from temporalio.service import RPCError

from tests.chaos.checker import violations
from tests.chaos.checks_people import RACES
from tests.chaos.evidence import Leftovers, Thread, cleaned, leftovers_in, stored_events, thread_of
from tests.chaos.jobs import JOBS
from tests.chaos.upgrades import builds
from tests.chaos.upgrades.builds import Run
from tests.chaos.upgrades.colleague import Amender, Chatter, Colleague, Terminal
from tests.chaos.upgrades.fleet import DEPLOYMENT, HOSTS, NEW, Fleet

END_SECONDS = 180
PROBE_SECONDS = 0.02


@dataclass(frozen=True)
class Size:
    """How many people there are: who sees threads through, who chats, who amends a plan."""

    colleagues: int = 6
    chatters: int = 2
    amenders: int = 2


@dataclass
class Outcome:
    """What a run was and found."""

    seed: int
    commands: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    threads: list[Thread] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    steps: list[tuple[str, float]] = field(default_factory=list)
    refused_connections: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    seconds: float = 0.0


class UpgradeRun:
    """Keeps people busy, upgrades under them, and reads what came of it."""

    def __init__(self, folder: Path, seed: int, size: Size) -> None:
        self._folder = folder
        self._size = size
        self._fleet = Fleet(folder)
        self._chance = random.Random(seed)  # noqa: S311  (can be had again by its seed)
        self._terminal = Terminal(self._fleet.settings)
        self._over = asyncio.Event()
        self._colleagues: list[Colleague] = []
        self._chatters: list[Chatter] = []
        self._amenders: list[Amender] = []
        self._outcome = Outcome(seed)
        self._step = ""

    async def run(self) -> Outcome:
        """Upgrade once, let everything end, and check."""
        began = time.monotonic()
        async with self._fleet.running(), self._fleet.http() as http:
            people = self._begin(http)
            probing = asyncio.create_task(self._probe())
            upgraded, last_old = await self._upgrade()
            self._over.set()
            probing.cancel()
            left = await self._let_end(people)
            await self._read(http, left, upgraded, last_old)
            self._terminal.close()
        self._count()
        self._outcome.seconds = time.monotonic() - began
        return self._outcome

    def _begin(self, http: httpx.AsyncClient) -> list[asyncio.Task[None]]:
        for number in range(self._size.chatters):
            self._chatters.append(Chatter(http, self._made(f"chat-{number}"), self._terminal))
        for number in range(self._size.amenders):
            self._amenders.append(Amender(http, self._made(f"grow-{number}"), self._terminal))
        doings = [
            *(self._see_through_many(http) for _ in range(self._size.colleagues)),
            *(chatter.talk(self._over) for chatter in self._chatters),
            *(amender.amend(self._over) for amender in self._amenders),
        ]
        return [asyncio.create_task(doing) for doing in doings]

    def _made(self, name: str) -> Path:
        (folder := self._folder / name).mkdir()
        return folder

    async def _see_through_many(self, http: httpx.AsyncClient) -> None:
        while not self._over.is_set():
            number = len(self._colleagues) + 1
            chance = random.Random(self._chance.getrandbits(64))  # noqa: S311  (as above)
            job, folder = JOBS[number % len(JOBS)], self._folder / f"thread-{number}"
            colleague = Colleague(http, job, folder, chance, self._terminal)
            self._colleagues.append(colleague)
            await colleague.see_through()

    async def _upgrade(self) -> tuple[datetime, datetime]:
        """Replace a host, the API, and the other host; returns when the build was new, and the old ended."""
        await self._merged(1)
        first, second = HOSTS
        await self._timed("drain alpha", self._fleet.drain(first))
        await self._timed("start alpha", self._fleet.start_worker(first, NEW))
        await self._timed("new current", self._is_current())
        upgraded = datetime.now(UTC)
        await self._timed("replace API", self._fleet.replace_api(NEW, is_held=False))
        await self._merged(self._merges + 2)
        last_old = datetime.now(UTC)
        await self._timed("drain beta", self._fleet.drain(second))
        await self._timed("start beta", self._fleet.start_worker(second, NEW))
        await self._timed("hold the port", self._fleet.replace_api(NEW, is_held=True))
        await self._timed("replace API, port held", self._fleet.replace_api(NEW, is_held=True))
        await self._merged(self._merges + 2)
        return upgraded, last_old

    async def _timed(self, name: str, doing: Any) -> None:
        self._step, began = name, time.monotonic()
        await doing
        self._step = ""
        self._outcome.steps.append((name, time.monotonic() - began))

    async def _is_current(self) -> None:
        client = await self._fleet.temporal()
        wanted = DescribeWorkerDeploymentRequest(namespace="default", deployment_name=DEPLOYMENT)
        async with asyncio.timeout(60):
            while True:
                with suppress(RPCError):  # it is asked by the workers as well, and has a limit
                    found = await client.workflow_service.describe_worker_deployment(wanted)
                    routing = found.worker_deployment_info.routing_config
                    if routing.current_deployment_version.build_id == NEW:
                        return
                await asyncio.sleep(1)

    @property
    def _merges(self) -> int:
        bodies = [e.event.body.kind for c in self._colleagues for e in c.events]
        return bodies.count("task_merged")

    async def _merged(self, count: int) -> None:
        """Wait until so many tasks were merged, so that threads are in the middle."""
        async with asyncio.timeout(END_SECONDS):
            while self._merges < count:  # noqa: ASYNC110  (what many streams say)
                await asyncio.sleep(0.1)

    async def _probe(self) -> None:
        """Connect to the API all the time, and count who was refused in which step."""
        while True:
            try:
                port = self._fleet.settings.api_port
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                await writer.wait_closed()
            except ConnectionRefusedError:
                self._outcome.refused_connections[self._step] += 1
            except OSError:
                pass
            await asyncio.sleep(PROBE_SECONDS)

    async def _let_end(self, people: list[asyncio.Task[None]]) -> Leftovers:
        _, stuck = await asyncio.wait(people, timeout=END_SECONDS)
        for task in people:
            if task in stuck:
                task.cancel()
                self._outcome.violations.append(f"somebody waits for ever: {task.get_coro()}")
            elif error := task.exception():
                self._outcome.violations.append(f"somebody gave up: {error!r}")
        return await cleaned(self._left)

    def _left(self) -> Leftovers:
        folders = [self._fleet.settings_of(host).data_dir for host in HOSTS]
        return leftovers_in(folders, self._fleet.children())

    async def _read(
        self, http: httpx.AsyncClient, left: Leftovers, upgraded: datetime, last_old: datetime
    ) -> None:
        opened = [colleague for colleague in self._colleagues if colleague.thread]
        outcome = self._outcome
        outcome.threads = [await thread_of(colleague, http) for colleague in opened]
        outcome.violations += violations(outcome.threads, left)
        for chatter in self._chatters:
            outcome.violations += await _said_once(http, chatter)
        for amender in self._amenders:
            outcome.violations += await _amended_once(http, amender)
        names = [c.thread for c in (*opened, *self._chatters, *self._amenders)]
        outcome.runs = await builds.runs_of(await self._fleet.temporal(), names)
        outcome.violations += builds.violations(outcome.runs, upgraded, last_old)

    def _count(self) -> None:
        for sent in self._terminal.sent:
            self._outcome.commands[sent.kind] += 1
            if sent.status not in {200, RACES.get(sent.kind)}:
                words = f"{sent.kind} {sent.target} was refused: {sent.status} {sent.answer}"
                self._outcome.violations.append(words)
        self._outcome.slowest = max(self._terminal.seconds)


async def _said_once(http: httpx.AsyncClient, chatter: Chatter) -> list[str]:
    """Each message is in the journal once, and the agent got it once."""
    bodies = [
        row.event.body.model_dump(mode="json") for row in await stored_events(http, chatter.thread)
    ]
    found: list[str] = []
    for kind in ("message_queued", "prompt_sent"):
        text = "\n".join(str(body) for body in bodies if body["kind"] == kind)
        found += [
            f"{said!r} is {text.count(said)} times in {kind} of {chatter.thread}"
            for said in chatter.texts
            if text.count(said) != 1
        ]
    return found


async def _amended_once(http: httpx.AsyncClient, amender: Amender) -> list[str]:
    """Each amendment was proposed, decided and carried out once."""
    kinds = Counter(row.event.body.kind for row in await stored_events(http, amender.thread))
    return [
        f"{kinds[kind]} {kind} of {amender.thread}, of {amender.made} amendments"
        for kind in ("amendment_proposed", "amendment_decided", "plan_amended")
        if kinds[kind] != amender.made
    ]
