"""Every command that the README and the docs show exists, with the options that they give it."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer._click.exceptions import BadOptionUsage, BadParameter, UsageError
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from treadle.commands import app

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(?:console|sh|bash)\n(.*?)^```$", re.M | re.S)
IN_BLOCK = re.compile(r"^ *(?:\$ )?(?:[A-Z_]+=\S+ )*treadle ([^-\n].*)$", re.M)
IN_TEXT = re.compile(r"`treadle ([^-`\n][^`\n]*)`")
SHELL = {"|", "<", ">", "&&"}
"""What ends a command in a line of a shell."""

PARTS = {"worker", "api"}
"""Processes of the engine, which are no commands of the command line."""


def commands_of(page: Path) -> Iterator[str]:
    """Yield what a page gives to `treadle`, in blocks and in its text."""
    text = page.read_text()
    for block in BLOCK.findall(text):
        yield from IN_BLOCK.findall(block.replace("\\\n", " "))
    yield from IN_TEXT.findall(text)


def pages() -> list[Path]:
    """Return the pages for people who use Treadle; the reference of commands is made of the commands."""
    every = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return [page for page in every if page.parent.name != "adr" and page.name != "cli.md"]


def wrong_with(line: str) -> str | None:
    """Return why the command line does not know a command; values that the text leaves out are no reason."""
    words = shlex.split(line, comments=True)
    words = words[: next((n for n, word in enumerate(words) if word in SHELL), len(words))]
    if words[0] in PARTS:
        return None
    command = get_command(app)
    context = command.context_class(command, info_name="treadle")
    while isinstance(command, TyperGroup) and words and not words[0].startswith("-"):
        if command.name == "plan" and command.get_command(context, words[0]) is None:
            words.insert(0, "goal")
        found = command.get_command(context, words.pop(0))
        if found is None:
            return "there is no such command"
        command = found
    try:
        if isinstance(command, TyperCommand):
            command.make_context("treadle", words, parent=context)
    except (BadParameter, BadOptionUsage):
        return None
    except UsageError as error:
        return error.format_message()
    return None


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_each_command_of_a_page_is_there_with_its_options(page: Path) -> None:
    wrong = {line: why for line in commands_of(page) if (why := wrong_with(line))}
    assert not wrong


@pytest.mark.parametrize(
    "line", ["tak THREAD B", "take THREAD --as B", "money rise 20", "plan GOAL --bestof"]
)
def test_a_command_that_is_not_there_is_found(line: str) -> None:
    assert wrong_with(line)
