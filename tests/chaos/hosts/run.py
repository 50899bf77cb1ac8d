"""One run: three hosts, sixty threads of twelve people, and one host that is killed or cut off for good."""

import asyncio
import random
import subprocess
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from tests.chaos.evidence import Repository, Thread, repository_of, stored_events
from tests.chaos.hosts.checks import violations
from tests.chaos.hosts.member import EVERYONE, Member, people
from tests.chaos.hosts.team import HOSTS, LOST_SECONDS, Team
from tests.chaos.jobs import JOBS
from tests.e2e.job import git

BACK_SECONDS = 60.0
"""Tasks are back at work this long after the limit of a silent host."""
STUCK_SECONDS = 120.0
KILL, CUT = "kill -9", "network cut"


@dataclass
class Outcome:
    """What a run was and found."""

    seed: int
    fault: str = ""
    host: str = ""
    moved: int = 0
    back: list[float] = field(default_factory=list)
    """Seconds from the limit to the next event of each thread that moved."""
    threads: list[Thread] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    seconds: float = 0.0


class HostsRun:
    """Opens the threads, loses a host in the middle, and reads what came of it."""

    def __init__(self, folder: Path, seed: int, threads: int) -> None:
        self._folder = folder
        self._chance = random.Random(seed)  # noqa: S311  (can be had again by its seed)
        self._count = threads
        self._team = Team(folder, people())
        self._members: list[Member] = []
        self._outcome = Outcome(seed)
        self._struck = datetime.now(UTC)

    async def run(self) -> Outcome:
        """Run once."""
        began = time.monotonic()
        async with self._team.running(), AsyncExitStack() as stack:
            owner = await stack.enter_async_context(self._team.owner())
            clients = {
                name: await stack.enter_async_context(self._team.client(await token(owner, name)))
                for name in EVERYONE
            }
            self._members = [self._member(clients, number) for number in range(self._count)]
            running = {asyncio.create_task(m.see_through()): m for m in self._members}
            await self._lose(owner, running)
            await self._let_end(running)
            await self._bring_back(owner)
            opened = [member for member in self._members if member.thread]
            self._outcome.threads = [await self._evidence(m, owner) for m in opened]
        self._outcome.violations += violations(self._outcome.threads, opened, self._struck)
        self._outcome.seconds = time.monotonic() - began
        return self._outcome

    def _member(self, clients: dict[str, httpx.AsyncClient], number: int) -> Member:
        name = f"thread-{number}"
        chance = random.Random(self._chance.getrandbits(64))  # noqa: S311  (as above)
        member = Member(clients, JOBS[number % len(JOBS)], self._folder / name, chance)
        member.publish(self._team.origins, self._team.url(f"{name}.git"))
        return member

    async def _lose(
        self, owner: httpx.AsyncClient, running: dict[asyncio.Task[None], Member]
    ) -> None:
        """Kill a host, or cut it off, once some of its threads are in the middle."""
        self._outcome.host = name = self._chance.choice(HOSTS)
        self._outcome.fault = self._chance.choice((KILL, CUT))
        share = self._chance.uniform(0.1, 0.7)
        total = sum(len(m.job.tasks) for m in self._members)
        while (  # noqa: ASYNC110  (what many streams say)
            sum(_merged(m) for m in self._members) < share * total and _any(running)
        ):
            await asyncio.sleep(0.2)
        on_it = await threads_on(owner, name)
        self._struck = datetime.now(UTC)
        if self._outcome.fault == KILL:
            await asyncio.to_thread(self._team.hosts[name].kill)
        else:
            self._team.network.cut(name)
        self._hit = [m for m in self._members if m.thread in on_it and not m.is_done]
        self._outcome.moved = len(self._hit)

    async def _let_end(self, running: dict[asyncio.Task[None], Member]) -> None:
        while _any(running):
            await asyncio.wait([t for t in running if not t.done()], timeout=5)
            left = [m for task, m in running.items() if not task.done()]
            if left and all(_quiet(m) > STUCK_SECONDS for m in left):
                break
        for task, member in running.items():
            if task.done() and not task.cancelled() and (error := task.exception()):
                words = f"the people of {member.thread} gave up: {error!r} {member.sent[-1:]}"
                self._outcome.violations.append(words)
            elif task.cancel():
                self._outcome.violations.append(f"{member.thread} is stuck")
        limit = self._struck + timedelta(seconds=LOST_SECONDS)
        for member in self._hit:
            times = [e.event.at for e in member.events if e.event.at > limit]
            if member.is_done and not times:
                continue  # it had ended before
            back = (min(times) - limit).total_seconds() if times else float("inf")
            self._outcome.back.append(back)
            if back > BACK_SECONDS:
                self._outcome.violations.append(f"{member.thread} was back after {back:.0f} s")

    async def _bring_back(self, owner: httpx.AsyncClient) -> None:
        """The host comes back with its old disk: it is fenced, and says so."""
        host = self._team.hosts[self._outcome.host]
        self._team.network.join(host.name)
        found = {row["name"]: row for row in (await owner.get("/v1/hosts")).json()["hosts"]}
        if found[host.name]["state"] != "lost":
            self._outcome.violations.append(f"{host.name} is {found[host.name]['state']}")
        worker = host.launch() if self._outcome.fault == KILL else host.worker
        try:
            await asyncio.to_thread(worker.wait, 60)
        except subprocess.TimeoutExpired:
            self._outcome.violations.append(f"the worker of {host.name} works on")
        if "was declared lost" not in (words := host.log.read_text()):
            self._outcome.violations.append(f"{host.name} came back with: {words[-300:]}")

    async def _evidence(self, member: Member, owner: httpx.AsyncClient) -> Thread:
        return Thread(
            thread_id=member.thread,
            job=member.job,
            events=tuple(await stored_events(owner, member.thread)),
            streamed=tuple(member.events),
            sent=tuple(member.sent),
            lines=tuple(member.log.lines()),
            repository=on_hub(member),
            is_done=member.is_done,
        )


def on_hub(member: Member) -> Repository:
    """Return what the hub holds of a thread, fetched into the repository of who pushed it there."""
    slug = member.thread.removeprefix("thread-")
    refs = git(member.origin, "for-each-ref", "--format=%(refname)", "refs/treadle/threads/")
    for ref in (r for r in refs.splitlines() if r.endswith(f"/heads/treadle/{slug}")):
        branch = f"+{ref}:refs/heads/treadle/{slug}"
        git(member.repository, "fetch", "--quiet", str(member.origin), branch)
    return repository_of(member.repository, member.thread, member.own)


async def token(owner: httpx.AsyncClient, person: str) -> str:
    """Return a new token of a person."""
    body: dict[str, Any] = {"name": "chaos", "person": person, "scope": "admin", "days": 1}
    answer = await owner.post("/v1/tokens", json=body)
    assert answer.is_success, answer.text
    return answer.json()["token"]


async def threads_on(owner: httpx.AsyncClient, host: str) -> set[str]:
    """Return the threads that are placed on a host."""
    hosts = (await owner.get("/v1/hosts")).json()["hosts"]
    return {thread for row in hosts if row["name"] == host for thread in row["threads"]}


def _merged(member: Member) -> int:
    return sum(event.event.body.kind == "task_merged" for event in member.events)


def _any(running: dict[asyncio.Task[None], Member]) -> bool:
    return any(not task.done() for task in running)


def _quiet(member: Member) -> float:
    """Return for how many seconds a thread has said nothing."""
    newest = member.events[-1].event.at if member.events else member.began
    return (datetime.now(UTC) - newest).total_seconds()
