"""A thread as one session of the editor follows it: its transcript, its plan, what is asked, and when it rests."""

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from cli.acp.asking import Asking
from cli.acp.asks import Ask, asks_in
from cli.acp.choices import Choices
from cli.acp.editor import Editor
from cli.acp.engine import Engine, Look
from cli.acp.newer import NewerEngineError
from cli.acp.own_commands import line
from cli.acp.rest import is_moving
from cli.acp.shown import Shown
from cli.acp.turns import CANCELLED, Turn, Work
from cli.acp.updates import Teller
from cli.core.errors import CommandError, RefusedError
from cli.threads import status
from domain.agents.updates import CHUNKS, kind_of
from domain.conversations.events import AgentSessionOpened, AgentUpdate
from domain.core.event import JournaledEvent
from domain.core.ids import ThreadId
from domain.reading.views import ThreadView

_log = logging.getLogger(__name__)

QUIET_SECONDS = 0.2
"""A talking agent sends many events: the thread is read once for all of them."""

RETRY_SECONDS = 2.0
GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
"""A thread that was deleted, or may not be read any more."""


@dataclass(frozen=True)
class Desk:
    """What all sessions of one editor share."""

    engine: Engine
    editor: Editor
    page: str
    first: Choices = field(default_factory=Choices)
    host: str = ""
    approves: bool = False


class Following:
    """Follows a thread, once it has one."""

    def __init__(self, desk: Desk, session_id: str, cwd: Path) -> None:
        self.thread_id = ThreadId("")
        self.asking = Asking(desk.engine, desk.editor, session_id, self)
        self.merge: dict[str, Ask] = {}
        """The merge that the person wants to be asked about."""
        self.teller = Teller("")
        self._desk = desk
        self._session_id = session_id
        self._cwd = cwd
        self._shown = Shown()
        self._work = Work()
        self._told = 0
        self._turn: Turn | None = None
        self._stale = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._is_closed = False

    @property
    def begun(self) -> frozenset[str]:
        """The messages that an agent got, or will never get, as far as it was told."""
        return frozenset(self._work.begun)

    def begin_turn(self) -> Turn:
        """Return the turn of a prompt; one before it ends, as what the thread does is told in this one."""
        if self._turn is not None:
            self._turn.end()
        if any(task.done() for task in self._tasks):  # it could not be read for a while
            self._leave()
            self._start(self._told)
        self._turn = Turn(asyncio.get_running_loop().create_future())
        return self._turn

    def drop(self, turn: Turn) -> None:
        """Forget a turn that is over."""
        if self._turn is turn:
            self._turn = None

    async def cancel_turn(self) -> None:
        """End the turn; what is asked stays open for a person."""
        if self._turn is not None:
            self._turn.end(CANCELLED)
        await self.asking.close()

    async def greet(self) -> None:
        """Tell which commands there are."""
        await self.tell(*self._shown.offer([]))

    def begin(self, thread_id: ThreadId) -> None:
        """Follow a thread that opens now, from its first event on."""
        self._take_up(thread_id)
        self._start(0)

    async def open(self, thread_id: ThreadId, *, is_told: bool) -> None:
        """Go on with a thread; with `is_told` the editor is told its transcript."""
        engine = self._desk.engine
        position = (await engine.view(thread_id)).position
        self._take_up(thread_id)
        async for event in engine.history(thread_id, position):
            await self._take(event, is_told=is_told)
        await self._show(await engine.look(thread_id))
        self._start(position)

    async def close(self) -> None:
        """Stop following for good, also what is being opened; the thread goes on."""
        self._is_closed = True
        self._leave()
        with contextlib.suppress(ConnectionError):
            await self.cancel_turn()

    def look_again(self) -> None:
        """Read the thread again, as something has changed."""
        self._stale.set()

    def expect_event(self) -> None:
        """Have the turn wait for an event of what is sent now."""
        if self._turn is not None:
            self._turn.await_event(self.look_again)

    async def tell(self, *updates: Any) -> None:
        """Tell the editor something."""
        await self._desk.editor.tell(self._session_id, *updates)

    def _take_up(self, thread_id: ThreadId) -> None:
        self.thread_id = thread_id
        mine, self.teller = self.teller.mine, Teller(thread_id)
        self.teller.mine = mine

    def _start(self, after: int) -> None:
        if self._is_closed:
            return
        for each in (self._read(after), self._watch()):
            task = asyncio.create_task(each)
            task.add_done_callback(self._note_end)
            self._tasks.append(task)

    def _leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()

    def _note_end(self, task: asyncio.Task[None]) -> None:
        """End the turn of a prompt whose thread is followed no more."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("a thread is no longer followed", exc_info=error)
            if self._turn is not None:
                self._turn.fail(error)

    async def _read(self, after: int) -> None:
        try:
            async for event in self._desk.engine.follow(self.thread_id, after):
                if event.position > self._told:
                    await self._take(event)
        except CommandError as error:  # it was deleted, or may not be read any more
            await self.tell(line(str(error)))
            if self._turn is not None:
                self._turn.end()

    async def _take(self, journaled: JournaledEvent, *, is_told: bool = True) -> None:
        event = journaled.event
        self._told = journaled.position
        if is_told:
            await self.tell(*self.teller.tell(event))
        if isinstance(event.body, AgentSessionOpened):
            names = [name.lstrip("/") for name in event.body.commands]
            await self.tell(*self._shown.offer(names))
        self._work.note(event.stream, event.body, self._turn, self.thread_id)
        if not (isinstance(event.body, AgentUpdate) and kind_of(event.body.update) in CHUNKS):
            self.look_again()

    async def _watch(self) -> None:
        while True:
            await self._stale.wait()
            self._stale.clear()
            try:
                await self._show(await self._desk.engine.look(self.thread_id))
                await asyncio.sleep(QUIET_SECONDS)
            except CommandError as error:
                if isinstance(error, RefusedError) and error.status in GONE:
                    return
                if isinstance(error, NewerEngineError):
                    raise
                # the engine is away for a moment
                await asyncio.sleep(RETRY_SECONDS)
                self.look_again()
            except ConnectionError:
                return

    async def _show(self, look: Look) -> None:
        """Tell what has changed, ask what is asked, and end the turn where nothing moves by itself."""
        view = look.view
        await self.tell(*self._shown.news(view))
        asks = [*asks_in(view, f"in {self._desk.editor.name}"), *self.merge.values()]
        await self.asking.keep({ask.key for ask in asks})
        turn = self._turn
        if turn is None or turn.ended.done():
            return
        if self._desk.approves and look.is_whole:
            self.asking.put(self.thread_id, asks, self._cwd)
        is_waiting = not turn.is_said or turn.awaits or self.asking.is_going_on
        if is_waiting or self._is_busy(view):
            return
        self.merge = {}
        await self._tell_of_rest(look)
        turn.end()

    def _is_busy(self, view: ThreadView) -> bool:
        is_held = bool(view.questions or view.over_limits)
        return is_moving(view) or (self._work.is_going_on and not is_held)

    async def _tell_of_rest(self, look: Look) -> None:
        """Say what waits for a person, and how it is answered."""
        view = look.view
        lines = [*status.questions(view), *status.outstanding(view)]
        lines += [f"{c.conflict.asks}: treadle show {view.thread_id}" for c in view.conflicts]
        if not lines:
            return
        here = "; `/inbox` asks here" if look.is_whole else "; not here: update Treadle here first"
        here = here if self._desk.approves else ""
        where = f"{self._desk.page}/threads/{view.thread_id}{here}"
        listed = "".join(f"\n- {each}" for each in lines)
        await self.tell(line(f"Waiting for you ({where}):\n{listed}"))
