"""A tool: its name, what it takes and gives, and what it does; and the errors that clients see."""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic import BaseModel, ValidationError

from cli.core.client import Client
from cli.core.errors import CommandError, RefusedError, UnreachableError
from cli.core.threads import NoSuchThreadError
from cli.mcp.answers import Given
from cli.mcp.arguments import Arguments
from domain.core.secret_forms import without_secrets

MAX_PROBLEMS = 10
MAX_WORDS = 2_000
MAX_FOLLOWED = 12
"""Waits with a connection to the API each."""

MAX_WAITING = 100

Progress = Callable[[float, float, str], Awaitable[None]]
"""Tells a client how far a call is: seconds of seconds, and words."""


class ToolError(Exception):
    """A call that failed, with its stable type and a sentence."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message[:MAX_WORDS]

    @property
    def spoken(self) -> str:
        """The error as a client shows it."""
        return without_secrets(f"{self.kind}: {self.message}")


class Waits:
    """How many calls wait long: the first ones follow events, further ones look every few seconds.

    A client that leaves without a word keeps its waits until they are over; nobody else's may hang on them.
    """

    def __init__(self) -> None:
        self._followed = 0
        self._all = 0

    @contextmanager
    def place(self) -> Generator[bool]:
        """Take a place until it is left; tells whether the wait may follow events.

        Raises:
            ToolError: There is none.
        """
        if self._all >= MAX_WAITING:
            raise ToolError(
                "busy", "too many calls are waiting: call get_thread from time to time instead"
            )
        follows = self._followed < MAX_FOLLOWED
        self._all += 1
        self._followed += follows
        try:
            yield follows
        finally:
            self._all -= 1
            self._followed -= follows


@dataclass(frozen=True)
class Call:
    """What a tool is called with: whose words are sent, and where from."""

    client: Client
    signature_for: Callable[[], str]
    page: str
    folder: str
    realm: str
    """What keys of repeated calls are of: the same for all that have one token."""
    waits: Waits
    progress: Progress

    @property
    def signature(self) -> str:
        """How what it sends is signed; asks the API once."""
        return self.signature_for()

    def page_of(self, thread: str) -> str:
        """Return where a person sees a thread, and decides."""
        return f"{self.page}/threads/{thread}"


@dataclass(frozen=True)
class Tool:
    """A tool; `act` runs in a thread of its own, `act_long` in the event loop."""

    name: str
    title: str
    description: str
    takes: type[Arguments]
    gives: type[Given]
    act: Callable[[Call, Any], Given] | None = None
    act_long: Callable[[Call, Any], Awaitable[Given]] | None = None
    is_reading: bool = True

    def parsed(self, arguments: dict[str, Any]) -> Arguments:
        """Return the arguments of a call.

        Raises:
            ToolError: They do not fit, with what is wrong and nothing of what was sent.
        """
        try:
            return self.takes.model_validate(arguments)
        except ValidationError as error:
            problems = error.errors(include_url=False, include_input=False, include_context=False)
            words = "; ".join(
                f"{'.'.join(str(part)[:80] for part in each['loc']) or self.name}: {each['msg']}"
                for each in problems[:MAX_PROBLEMS]
            )
            raise ToolError(
                "invalid", f"the arguments of {self.name} do not fit: {words}"
            ) from error


def refuse(error: CommandError) -> NoReturn:
    """Raise an error of the command line as one of a tool.

    Raises:
        ToolError: Always.
    """
    match error:
        case NoSuchThreadError():
            words = str(error).replace("`treadle threads`", "list_threads")
            raise ToolError("not_found", words) from error
        case RefusedError():
            raise ToolError(error.name or "refused", str(error)) from error
        case UnreachableError():
            raise ToolError("unreachable", str(error)) from error
        case _:
            raise ToolError("invalid", str(error)) from error


def clean(value: Any) -> Any:
    """Return an answer without secrets, however deep they lie."""
    match value:
        case BaseModel():
            return clean(value.model_dump(mode="json"))
        case str():
            return without_secrets(value)
        case dict():
            return {name: clean(each) for name, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
        case list():
            return [clean(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
        case _:
            return value


def cut(text: str, limit: int) -> str:
    """Return a text of at most so many characters, which says what is missing."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]} … ({len(text) - limit:,} more characters)"
