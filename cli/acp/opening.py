"""The thread of a session of the editor: opened once, with its first message, also where the answer to that is lost."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple

from cli.acp.engine import Engine
from cli.acp.names import thread_ending
from cli.acp.prompts import Said
from cli.core.errors import CommandError, RefusedError
from domain.core.ids import ThreadId

LISTED = 50

NOT_OPENED = (
    "the first message of this conversation was another, and its thread is not there (yet): "
    "say this again in a moment, or begin a new conversation"
)

_UNHEARD = frozenset(
    {
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.FORBIDDEN,
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.TOO_MANY_REQUESTS,
    }
)
"""Refusals of whoever asks, or of how often, whatever it is."""


@dataclass
class First:
    """A first message whose answer was lost: it may have opened the thread."""

    said: Said
    body: dict[str, Any]
    is_taken_back: bool = False
    """Whether the person cancelled it meanwhile."""


class Opened(NamedTuple):
    """A thread; `is_said` unless an earlier process opened it, with other words."""

    thread_id: ThreadId
    is_said: bool = True


class Opening:
    """Opens the thread of one session; the id of the session is that of the command."""

    def __init__(self, engine: Engine, session_id: str, cwd: str) -> None:
        self.unanswered: First | None = None
        self._engine = engine
        self._session_id = session_id
        self._cwd = cwd

    async def open(self, said: Said, body: dict[str, Any]) -> Opened:
        """Open the thread; a message without an answer is kept as `unanswered`.

        Raises:
            CommandError: It was refused, or nothing answers.
        """
        try:
            return Opened(await self._post(body))
        except RefusedError as error:
            if error.name == "key_reused":
                return await self._found(error)
            if _is_inner(error):
                self.unanswered = First(said, body)
            raise
        except CommandError:
            self.unanswered = First(said, body)
            raise

    async def open_after_all(self, first: First) -> ThreadId:
        """Send an unanswered first message again; none if it is certain that it opened no thread.

        Raises:
            CommandError: It has no answer again.
        """
        try:
            thread_id = await self._post(first.body)
        except RefusedError as error:
            if is_unheard(error):
                raise
            thread_id = ThreadId("")
        self.unanswered = None
        return thread_id

    async def _post(self, body: dict[str, Any]) -> ThreadId:
        opened = await self._engine.post("/v1/threads", {"command_id": self._session_id, **body})
        return ThreadId(opened["thread_id"])

    async def _found(self, error: RefusedError) -> Opened:
        """Return the thread that a process which is gone opened, by a message whose answer it did not get."""
        thread_id = await opened_by(self._engine, self._session_id, self._cwd)
        if not thread_id:
            raise CommandError(NOT_OPENED) from error
        return Opened(thread_id, is_said=False)


def is_unheard(error: RefusedError) -> bool:
    """Tell whether a refusal does not say what became of a command that was sent before."""
    return _is_inner(error) or error.status in _UNHEARD


def _is_inner(error: RefusedError) -> bool:
    return error.status >= HTTPStatus.INTERNAL_SERVER_ERROR


async def opened_by(engine: Engine, session_id: str, cwd: str) -> ThreadId:
    """Return the thread that a session opened; none for one in which nothing was said."""
    ending = thread_ending(session_id)
    for archived in ("false", "true"):
        rows, _ = await engine.threads(q=ending, archived=archived, limit=LISTED)
        found = [row for row in rows if row["stream"].endswith(ending)]
        here = [row for row in found if row["project"] == cwd] or found
        if here:
            return ThreadId(here[0]["stream"])
    return ThreadId("")
