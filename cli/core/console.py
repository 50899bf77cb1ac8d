"""The console of every command: answers on stdout, messages on stderr."""

import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Annotated, Any, TextIO, TypeVar, cast

import typer
from rich.console import Console, RenderableType
from rich.style import Style
from rich.text import Text

from domain.core.printable import UNPRINTABLE
from domain.core.text import on_one_line

Answer = TypeVar("Answer")

UNWRAPPED = 4000
"""The width of what is piped or written to a file, so that nothing is cut."""


class _Piped(io.TextIOBase):
    """A standard stream without the trailing blanks of a table's last column."""

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
    """A console that treats every string as foreign text: no markup, no control characters."""

    def render_str(self, text: str, *, style: str | Style = "", **_: Any) -> Text:
        """Return a printed string, or the cell of a table, as `quoted` does."""
        return quoted(text, style)


def _console(name: str) -> Console:
    if getattr(sys, name).isatty():
        return _Console(stderr=name == "stderr", highlight=False)
    return _Console(file=cast("IO[str]", _Piped(name)), highlight=False, width=UNWRAPPED)


messages = _console("stderr")
"""Messages for people."""

output = _console("stdout")
"""The answer of a command."""

Json = Annotated[bool, typer.Option("--json", help="Answer as JSON on stdout.")]

USAGE = 2

BAR = "│ "
"""The start of each further line of a foreign text."""

_UNPRINTABLE = re.compile(rf"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]|[{UNPRINTABLE}]")
_UNPRINTABLE_JSON = re.compile(rf"[{UNPRINTABLE}]")


def inert(text: str) -> str:
    """Return foreign text with `�` for control characters, except for tabs and line feeds.

    They are never removed: what a person approves must not hide anything.
    """
    return _UNPRINTABLE.sub("�", text)


def plain(text: str, style: str = "") -> Text:
    """Return foreign text in one line, without markup and control characters.

    A line break in it becomes `⏎`, so that no foreign text looks like a line of ours.
    """
    return Text(on_one_line(inert(text)), style=style)


def quoted(text: str, style: str | Style = "") -> Text:
    """Return foreign text of several lines; all but the first start with a bar."""
    return Text(inert(text).replace("\n", f"\n{BAR}"), style=style)


def rows(lines: Iterable[str], style: str = "") -> Text:
    """Return lines of ours; foreign text in them stays in its line."""
    return Text("\n").join(plain(line, style) for line in lines)


def listed(items: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a list; further lines of an item are indented."""
    for item in items:
        first, *more = item.splitlines()
        yield f"  - {first}"
        yield from (f"    {line}" for line in more)


def whole(text: str, style: str = "") -> Text:
    """Return foreign text with its own lines: only for a command that prints nothing else."""
    return Text(inert(text), style=style)


def coloured(patch: str) -> RenderableType:
    """Return a patch in colors: only for a command that prints nothing else."""
    from rich.syntax import Syntax

    return Syntax(inert(patch), "diff", background_color="default")


def as_text(drawn: RenderableType) -> str:
    """Return what would be printed, without colors and unwrapped."""
    page = io.StringIO()
    _Console(file=page, highlight=False, width=UNWRAPPED, color_system=None).print(drawn)
    return re.sub(r" +$", "", page.getvalue(), flags=re.MULTILINE).strip("\n")


def load_settings() -> Any:
    """Return the settings; an invalid one ends the command with a message that names it."""
    from settings import SettingsError
    from settings import load_settings as load

    try:
        return load()
    except SettingsError as error:
        say(str(error), style="red")
        raise typer.Exit(USAGE) from None


def say(text: str, style: str = "") -> None:
    """Print a message for a person; it may contain foreign text."""
    messages.print(quoted(text, style), soft_wrap=True)


def ask_for(question: str) -> str:
    """Ask a person at this terminal and return what they typed.

    Raises:
        EOFError: They ended the input.
    """
    return messages.input(plain(question, "bold")).strip()


def confirmed(question: str, *, aborts: bool = False) -> bool:
    """Ask for a yes or no; with `aborts`, a no ends the command.

    Raises:
        Abort: Nobody answered, or the answer was a no that aborts.
    """
    return typer.confirm(plain(question).plain, abort=aborts, err=True)


def prompted(question: str) -> str:
    """Ask until something is typed.

    Raises:
        Abort: Nobody answered.
    """
    return typer.prompt(plain(question).plain, err=True)


def print_piece(text: str) -> None:
    """Print a piece of a longer foreign text; its lines are marked."""
    sys.stdout.write(inert(text).replace("\n", f"\n{BAR}"))
    sys.stdout.flush()


def print_whole(text: str) -> None:
    """Print foreign text as it is, without control characters: only if nothing else is printed."""
    sys.stdout.write(inert(text))


def pass_on(text: str) -> None:
    """Write a text for a program unchanged, like a patch or an export."""
    sys.stdout.write(text)


def emit(
    answer: Answer, draw: Callable[[Answer], RenderableType | None] | None = None, *, as_json: bool
) -> None:
    """Print an answer as JSON, or drawn for a person; without `draw`, print its message.

    `draw` returns what to print, or prints it itself and returns nothing.
    """
    if as_json:
        print_json(answer)
    elif draw is None:
        say(cast("Mapping[str, str]", answer)["message"])
    elif (drawn := draw(answer)) is not None:
        output.print(drawn)


def print_json(value: Any) -> None:
    """Print JSON on stdout, in one line unless it is a terminal; control characters are escaped."""
    indent = 2 if sys.stdout.isatty() else None
    text = json.dumps(value, indent=indent, ensure_ascii=False, default=_jsonable)
    sys.stdout.write(escaped_json(text) + "\n")
    sys.stdout.flush()


def _jsonable(value: Any) -> Any:
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else str(value)


def escaped_json(text: str) -> str:
    """Return JSON with control characters escaped."""
    return _UNPRINTABLE_JSON.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]
