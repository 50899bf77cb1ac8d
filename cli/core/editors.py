"""Opening a worktree, or a line of a file in it, in the person's editor: without a shell, by absolute paths alone."""

import os
import pwd
import shutil
import subprocess
import webbrowser
from pathlib import Path

from rich.style import Style
from rich.text import Text

from cli.core.console import inert, output, plain, say
from cli.core.errors import CommandError
from domain.core.editors import (
    NAMES,
    Editor,
    Spot,
    editor_url,
    program_arguments,
    terminal_command,
)
from domain.core.text import on_one_line

WARNING = (
    "An agent may be at work in it: what you change becomes part of its work, and programs that you start there "
    "run what it wrote."
)


def open_here(editor: Editor, folder: str, spot: Spot) -> None:
    """Open a spot of this machine, by the editor's program or else by its link; a terminal is a shell.

    Raises:
        CommandError: The path is not there, or nothing could open it.
    """
    if not Path(spot.path).exists():
        raise CommandError(f"{on_one_line(inert(spot.path))} is not on this machine")
    say(WARNING, style="yellow")
    arguments = program_arguments(editor, folder, spot)
    if arguments is None:
        _run_shell(folder)
        return
    program = shutil.which(editor)
    if program is not None:
        _start([program, *arguments])
        return
    url = editor_url(editor, spot)
    if url is None or not webbrowser.open(url):
        raise CommandError(
            f"{NAMES[editor]} was not found: install its command `{editor}`, or use --print"
        )


def print_place(editor: Editor | None, spot: Spot, ssh: str) -> None:
    """Print a path, as a link where the terminal has those."""
    output.print(linked(spot, editor, ssh), soft_wrap=True)


def linked(spot: Spot, editor: Editor | None = None, ssh: str = "", shown: str = "") -> Text:
    """Return a path, or what is `shown` for it, that a terminal which knows links (OSC 8) opens at a click."""
    url = editor_url(editor, spot, ssh) if editor else None
    if url is None and not ssh:
        url = Path(spot.path).as_uri()
    words = plain(shown or spot.path)
    if url:
        words.stylize(Style(link=url))
    return words


def way_elsewhere(editor: Editor, folder: str, spot: Spot, host: str, ssh: str) -> str:
    """Return what opens a spot of another machine: a link, or a line for a shell.

    Raises:
        CommandError: Nobody said how that is reached.
    """
    if not ssh:
        raise CommandError(
            f"it is on host {host}: {on_one_line(inert(spot.path))}. Give its SSH name with --ssh HOST"
        )
    return editor_url(editor, spot, ssh) or terminal_command(folder, ssh)


def _start(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)  # noqa: S603  (the person's editor)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CommandError(f"{command[0]} did not open it: {error}") from error


def _run_shell(folder: str) -> None:
    shell = pwd.getpwuid(os.getuid()).pw_shell or "/bin/sh"
    subprocess.run([shell], cwd=folder, check=False)  # noqa: S603  (the person's shell)
