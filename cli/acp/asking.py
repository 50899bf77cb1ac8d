"""The requests that a person at the editor is asked now: put, answered, or withdrawn when decided elsewhere."""

import asyncio
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from acp import helpers, schema

from cli.acp.asks import Ask, Option, content_of
from cli.acp.editor import Editor
from cli.acp.engine import Engine, Post
from cli.core.errors import CommandError, RefusedError

TOO_LONG = "It is too long to show here in full, so it is not asked here."


class Follower(Protocol):
    """Whoever shows the thread."""

    def look_again(self) -> None:
        """Read the thread again."""
        ...

    def expect_event(self) -> None:
        """Wait for an event of what is sent now."""
        ...


class Asking:
    """What is asked in one session of the editor. A request is asked once, until the person wants it again."""

    def __init__(self, engine: Engine, editor: Editor, session_id: str, follower: Follower) -> None:
        self.rejection: Post | None = None
        """A rejection whose reason is the next message."""
        self._rejecting = ""
        self._engine = engine
        self._editor = editor
        self._session_id = session_id
        self._follower = follower
        self._open: dict[str, asyncio.Task[None]] = {}
        self._left: set[str] = set()
        self._sent: set[str] = set()

    @property
    def is_going_on(self) -> bool:
        """Whether the person has a request in front of them."""
        return bool(self._open)

    def again(self) -> None:
        """Ask again what was left open, except for what the next message rejects."""
        self._left &= {self._rejecting}

    def end_rejection(self, *, is_sent: bool) -> None:
        """Forget the rejection: it was sent, and what it rejects is not asked again; or it is refused."""
        if is_sent:
            self._sent.add(self._rejecting)
        self.rejection, self._rejecting = None, ""

    def put(self, thread_id: str, asks: Iterable[Ask], folder: Path) -> None:
        """Ask all of these that are not asked yet and were not left open."""
        for ask in asks:
            if ask.key not in {*self._open, *self._left, *self._sent}:
                call_id = f"ask-{secrets.token_hex(8)}:{ask.key}"  # none that another process gave
                task = asyncio.create_task(self._put(thread_id, ask, call_id, folder))
                task.set_name(call_id)
                self._open[ask.key] = task

    async def keep(self, keys: set[str]) -> None:
        """Withdraw what is asked and none of these: it was decided elsewhere, or has changed."""
        for key in self._open.keys() - keys - self._sent:
            await self._withdraw(key, "Decided elsewhere, or changed meanwhile.")

    async def close(self) -> None:
        """Withdraw everything; all of it still waits for a person."""
        for key in list(self._open):
            await self._withdraw(key, "Left open.")

    async def _withdraw(self, key: str, why: str) -> None:
        task = self._open.pop(key, None)
        if task is None:
            return
        call_id = task.get_name()
        task.cancel()
        await self._editor.withdraw(call_id)
        await self._end(call_id, "completed", why)

    async def _put(self, thread_id: str, ask: Ask, call_id: str, folder: Path) -> None:
        try:
            await self._ask(thread_id, ask, call_id, folder)
        finally:
            self._left.add(ask.key)  # whatever came of it, it is not asked again by itself
            if self._open.get(ask.key) is asyncio.current_task():
                del self._open[ask.key]
            self._follower.look_again()

    async def _ask(self, thread_id: str, ask: Ask, call_id: str, folder: Path) -> None:
        started = helpers.start_tool_call(call_id, ask.title, kind="other", status="pending")
        await self._editor.tell(self._session_id, started)
        try:
            content = await content_of(ask, self._engine, folder)
        except CommandError as error:  # it has changed, which the thread shows next
            await self._leave(ask, call_id, str(error))
            return
        if content is None:
            await self._leave(ask, call_id, f"{TOO_LONG} {ask.by_command}")
            return
        call = schema.ToolCallUpdate(
            tool_call_id=call_id, title=ask.title, kind="other", status="pending", content=content
        )
        options = [
            schema.PermissionOption(option_id=o.option_id, name=o.name, kind=o.kind)
            for o in ask.options
        ]
        name = await self._editor.ask(self._session_id, call, options)
        chosen = next((o for o in ask.options if o.option_id == name), None)
        if chosen is None or chosen.post is None:
            await self._leave(ask, call_id, f"Left open. {ask.by_command}")
        elif chosen.wants_words:
            self.rejection, self._rejecting = chosen.post, ask.key
            words = "Say what should change: your next message is sent with the rejection."
            await self._leave(ask, call_id, words)
        else:
            await self._send(thread_id, ask, call_id, chosen, chosen.post)

    async def _send(
        self, thread_id: str, ask: Ask, call_id: str, chosen: Option, post: Post
    ) -> None:
        self._sent.add(ask.key)
        self._follower.expect_event()
        try:
            await self._engine.command(thread_id, post)
        except RefusedError as error:  # decided elsewhere, changed, or not this person's to decide
            self._left.add(ask.key)
            await self._end(call_id, "failed", str(error))
        except CommandError as error:
            self._sent.discard(ask.key)
            await self._leave(ask, call_id, str(error))
        else:
            await self._end(call_id, "completed", chosen.name)

    async def _leave(self, ask: Ask, call_id: str, words: str) -> None:
        self._left.add(ask.key)
        await self._end(call_id, "failed", words)

    async def _end(self, call_id: str, status: schema.ToolCallStatus, words: str) -> None:
        content = [helpers.tool_content(helpers.text_block(words))]
        ended = helpers.update_tool_call(call_id, status=status, content=content)
        await self._editor.tell(self._session_id, ended)
