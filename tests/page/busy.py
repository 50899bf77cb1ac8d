"""A journal of many threads in all columns of the board, and a stream of what happens in them."""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

import httpx

from adapters.journal import SqlJournal
from domain.conversations.events import AgentNotice, AgentUpdate
from domain.core.branch_status import BranchStatus
from domain.core.event import Event, EventBody, Headline
from domain.core.ids import EventId, StreamId, TurnId
from domain.queue.entry import NewEntry
from domain.queue.events import EntryEnqueued, QueueOpened
from domain.queue.inputs import QUEUE
from settings import Settings
from tests.api.serving import serving
from tests.api.test_reading import planned
from tests.page.stories.hostile import called, spoken

BEGAN = datetime.now(UTC) - timedelta(days=20)
BATCH = 50
TICK_SECONDS = 0.05
AGENTS = ("claude", "codex", "gemini", "opencode")
PROJECTS = ("shop", "payments", "storefront", "design-system", "infrastructure")
GOALS = (
    "Fix the race between checkout and the refund webhook",
    "Add dark mode to the settings page",
    "Upgrade the ORM and remove the compatibility layer",
    "Write property tests for the pricing rules",
    "Show why a coupon was refused",
    "Move image resizing off the request path",
)
SAID = (
    "Reading src/checkout/refunds.py",
    "Run the tests of the payment service",
    "All 214 tests pass; I look at the flaky one next.",
    "Edit web/src/settings/Theme.tsx",
)


@dataclass(frozen=True)
class Kind:
    """How some of the threads stand, and the share of them."""

    share: float
    status: str
    waiting_for: str = ""
    branch: BranchStatus = BranchStatus.OPEN


KINDS = (
    Kind(0.10, "chat"),
    Kind(0.20, "running"),
    Kind(0.02, "planning"),
    Kind(0.13, "planning", "approval of the plan"),
    Kind(0.15, "completed", branch=BranchStatus.IN_REVIEW),
    Kind(0.35, "completed", branch=BranchStatus.MERGED),
    Kind(0.05, "cancelled"),
)


class Busy:
    """Threads in a journal, written as their workflows write them."""

    def __init__(self, journal: SqlJournal, http: httpx.AsyncClient) -> None:
        self.http = http
        self.lines: list[Headline] = []
        self.written = 0
        self._journal = journal
        self._numbers = count()
        self._dice = random.Random(7)  # noqa: S311  (the same threads in each run)

    async def fill(self, threads: int, queued: int) -> None:
        """Write so many threads, and entries of the queue."""
        self.lines = [line for kind in KINDS for line in self._threads(kind, threads)]
        for first in range(0, len(self.lines), BATCH):
            some = self.lines[first : first + BATCH]
            events = [event for line in some for event in self._opening(line)]
            await self._journal.append(events, [*some, *map(_session_of, some)])
        entries = [QueueOpened(), *(self._entry(n) for n in range(queued))]
        await self._journal.append([self._event(QUEUE, body) for body in entries])

    def _threads(self, kind: Kind, threads: int) -> Iterator[Headline]:
        for _ in range(round(threads * kind.share)):
            number, dice = next(self._numbers), self._dice
            total = dice.randrange(1, 9)
            is_over = kind.status == "completed"
            yield Headline(
                stream=StreamId(f"thread-busy-{number:05}"),
                kind="thread",
                title=f"{GOALS[number % len(GOALS)]} ({number})",
                project=f"/srv/repositories/{dice.choice(PROJECTS)}",
                agent=dice.choice(AGENTS),
                status=kind.status,
                waiting_for=kind.waiting_for,
                branch_status=kind.branch,
                total=0 if kind.status == "chat" else total,
                done=total if is_over else dice.randrange(total),
                insertions=dice.randrange(400) if is_over or kind.status == "running" else 0,
                deletions=dice.randrange(80) if is_over or kind.status == "running" else 0,
            )

    def _opening(self, line: Headline) -> Iterator[Event]:
        opened, proposed = (event.body for event in planned())
        yield self._event(line.stream, opened)
        if line.waiting_for:
            yield self._event(line.stream, proposed)

    def _entry(self, number: int) -> EntryEnqueued:
        goal = GOALS[number % len(GOALS)]
        entry = NewEntry(
            entry_id=f"thread-queued-{number:04}",
            title=f"{goal}, later ({number})",
            project=f"/srv/repositories/{PROJECTS[number % len(PROJECTS)]}",
            spec_ref="none",
        )
        return EntryEnqueued(entry=entry)

    def _event(self, stream: str, body: EventBody) -> Event:
        number = next(self._numbers)
        at = BEGAN + timedelta(minutes=number % 20_000)
        return Event(id=EventId(f"busy:{number}"), stream=StreamId(stream), at=at, body=body)

    async def flow(self, events_a_second: int, over: asyncio.Event) -> None:
        """Write what happens in running threads at a pace: mostly talk, some of it progress."""
        began, self.written = time.monotonic(), 0
        while not over.is_set():
            due = int((time.monotonic() - began) * events_a_second) - self.written
            if due > 0:
                await self._happen(due)
            self.written += max(0, due)
            await asyncio.sleep(TICK_SECONDS)

    async def _happen(self, events: int) -> None:
        at_work = [n for n, line in enumerate(self.lines) if line.status == "running"]
        happened, shown = list[Event](), list[Headline]()
        for _ in range(events):
            index = self._dice.choice(at_work)
            line = self.lines[index]
            if self._dice.random() < 0.7:
                words = self._dice.choice(SAID)
                said = called(1) | {"title": words} if words.startswith("Read") else spoken(words)
                body = AgentUpdate(turn_id=TurnId("t"), update=said)
                happened.append(self._event(f"{line.stream}/session-1", body))
                continue
            happened.append(self._event(line.stream, AgentNotice(turn_id=TurnId("t"), message="…")))
            self.lines[index] = self._advanced(line)
            shown.append(self.lines[index])
        await self._journal.append(happened, shown)

    def _advanced(self, line: Headline) -> Headline:
        done = line.done + 1
        if done < line.total:
            more = {"done": done, "insertions": line.insertions + self._dice.randrange(20)}
            return line.model_copy(update=more)
        ends = self._dice.random() < 0.02
        more = {"done": 0, "status": "completed" if ends else "running"}
        return line.model_copy(update=more)


def _session_of(line: Headline) -> Headline:
    is_working = line.status in {"running", "planning"} and not line.waiting_for
    return Headline(
        stream=StreamId(f"{line.stream}/session-1"),
        kind="session",
        project=line.project,
        title="agent",
        status="working" if is_working else "idle",
    )


@asynccontextmanager
async def busy_place(settings: Settings, threads: int = 1_000, queued: int = 40):
    """Serve the page over such a journal, without Temporal."""
    async with serving(settings) as (journal, http, _):
        busy = Busy(journal, http)
        await busy.fill(threads, queued)
        yield busy


def titles(lines: Sequence[Headline]) -> list[str]:
    """Return what threads are called."""
    return [line.title for line in lines]
