"""What every command prints with: answers on stdout, messages on stderr, and settings or a sentence."""

import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import IO, Annotated, Any, TextIO, TypeVar, cast

import typer
from rich.console import Console, RenderableType
from rich.style import Style
from rich.text import Text

from domain.core.printable import UNPRINTABLE
from domain.core.text import on_one_line

Answer = TypeVar("Answer")

UNWRAPPED = 4000
"""Columns where no person looks: what is piped or kept in a file stays whole."""


class _Piped(io.TextIOBase):
    """A standard stream without the blanks that fill the last column of a table."""

    def __init__(self, name: str) -> None:
        self._name = name

    def write(self, text: str) -> int:
        return self._stream.write(re.sub(r" +$", "", text, flags=re.MULTILINE))

    def flush(self) -> None:
        self._stream.flush()

    @property
    def _stream(self) -> TextIO:
        return getattr(sys, self._name)


class _Console(Console):
    """A console to which every bare string is foreign text: no markup, nothing that steers."""

    def render_str(self, text: str, *, style: str | Style = "", **_: Any) -> Text:
        """Return a string that was printed, or is a cell of a table, as `quoted` does."""
        return quoted(text, style)


def _console(name: str) -> Console:
    if getattr(sys, name).isatty():
        return _Console(stderr=name == "stderr", highlight=False)
    return _Console(file=cast("IO[str]", _Piped(name)), highlight=False, width=UNWRAPPED)


messages = _console("stderr")
"""Messages for people."""

output = _console("stdout")
"""What a command was asked for."""

Json = Annotated[bool, typer.Option("--json", help="Answer as JSON on stdout.")]

USAGE = 2

BAR = "│ "
"""What begins each further line of a text that is not ours."""

_UNPRINTABLE = re.compile(rf"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]|[{UNPRINTABLE}]")
_UNPRINTABLE_JSON = re.compile(rf"[{UNPRINTABLE}]")


def inert(text: str) -> str:
    """Return foreign text as a terminal may get it: what would steer it is seen as a `�`.

    Never left out: what a person approves must not hide anything. Only tabs and line feeds pass.
    """
    return _UNPRINTABLE.sub("�", text)


def plain(text: str, style: str = "") -> Text:
    """Return foreign text as it may be drawn: one line, no markup, no control characters.

    A line break in it is seen as `⏎`: nothing that others wrote can look like a line of ours.
    """
    return Text(on_one_line(inert(text)), style=style)


def quoted(text: str, style: str | Style = "") -> Text:
    """Return foreign text of several lines; all but the first begin with a bar of ours."""
    return Text(inert(text).replace("\n", f"\n{BAR}"), style=style)


def rows(lines: Iterable[str], style: str = "") -> Text:
    """Return lines of ours, one below the other; what they quote stays in its line."""
    return Text("\n").join(plain(line, style) for line in lines)


def whole(text: str, style: str = "") -> Text:
    """Return foreign text with its own lines: only where it is all that a command was asked for."""
    return Text(inert(text), style=style)


def coloured(patch: str) -> RenderableType:
    """Return a patch, coloured; only where it is all that a command was asked for."""
    from rich.syntax import Syntax

    return Syntax(inert(patch), "diff", background_color="default")


def load_settings() -> Any:
    """Return the settings; a wrong one ends the command with a sentence that names it."""
    from settings import SettingsError
    from settings import load_settings as load

    try:
        return load()
    except SettingsError as error:
        say(str(error), style="red")
        raise typer.Exit(USAGE) from None


def say(text: str, style: str = "") -> None:
    """Print a message for a person; it may quote foreign text."""
    messages.print(quoted(text, style), soft_wrap=True)


def ask_for(question: str) -> str:
    """Ask a person at this terminal and return what they typed.

    Raises:
        EOFError: They ended the input instead.
    """
    return messages.input(plain(question, "bold")).strip()


def confirmed(question: str, *, aborts: bool = False) -> bool:
    """Ask for a yes or no; with `aborts` a no ends the command.

    Raises:
        Abort: Nobody answered, or it was a no that aborts.
    """
    return typer.confirm(plain(question).plain, abort=aborts, err=True)


def prompted(question: str) -> str:
    """Ask until something is typed.

    Raises:
        Abort: Nobody answered.
    """
    return typer.prompt(plain(question).plain, err=True)


def print_piece(text: str) -> None:
    """Print a piece of foreign text that goes on; its lines are marked."""
    sys.stdout.write(inert(text).replace("\n", f"\n{BAR}"))
    sys.stdout.flush()


def print_whole(text: str) -> None:
    """Print foreign text with its own lines and blanks: only where it is all that was asked for."""
    sys.stdout.write(inert(text))


def pass_on(text: str) -> None:
    """Write a text for a program byte by byte, as a patch or an export has to be."""
    sys.stdout.write(text)


def emit(
    answer: Answer, draw: Callable[[Answer], RenderableType | None] | None = None, *, as_json: bool
) -> None:
    """Print an answer: as JSON, or as it is drawn for a person; undrawn, its message is said.

    A model becomes JSON by itself; `draw` may print by itself, too, and return nothing.
    """
    if as_json:
        print_json(answer)
    elif draw is None:
        say(cast("Mapping[str, str]", answer)["message"])
    elif (drawn := draw(answer)) is not None:
        output.print(drawn)


def print_json(value: Any) -> None:
    """Print a machine's answer on stdout, as one line where nobody looks at it.

    What would steer a terminal is escaped as JSON escapes it.
    """
    indent = 2 if sys.stdout.isatty() else None
    text = json.dumps(value, indent=indent, ensure_ascii=False, default=_jsonable)
    sys.stdout.write(escaped_json(text) + "\n")
    sys.stdout.flush()


def _jsonable(value: Any) -> Any:
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else str(value)


def escaped_json(text: str) -> str:
    """Return JSON with what would steer a terminal escaped as JSON escapes it."""
    return _UNPRINTABLE_JSON.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]
