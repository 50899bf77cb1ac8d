"""Links and commands that open a folder, or a line of a file, in a person's editor; the page has the same rules (editors.ts)."""

import re
import shlex
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import quote


class Editor(StrEnum):
    """Where a person looks at files; the values are what `treadle open --in` takes."""

    CODE = "code"
    INSIDERS = "code-insiders"
    CURSOR = "cursor"
    ZED = "zed"
    IDEA = "idea"
    PYCHARM = "pycharm"
    WEBSTORM = "webstorm"
    TERMINAL = "terminal"


class Spot(NamedTuple):
    """A folder by its path; with a `line` it is a line of a file."""

    path: str
    line: int | None = None
    column: int = 1

    @property
    def suffix(self) -> str:
        """How editors are told the line."""
        return "" if self.line is None else f":{self.line}:{self.column}"


_LIKE_CODE = {
    Editor.CODE: "vscode",
    Editor.INSIDERS: "vscode-insiders",
    Editor.CURSOR: "cursor",
}
_JETBRAINS = frozenset({Editor.IDEA, Editor.PYCHARM, Editor.WEBSTORM})
_SSH = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)?[A-Za-z0-9][A-Za-z0-9._-]*(?::\d{1,5})?")
_LIKE_A_LINE = re.compile(r":\d+(?=:|$)")
"""What an editor would take for a line where it is part of a name."""


def is_ssh_target(text: str) -> bool:
    """Tell whether a text is a host, `user@host` or `host:port`, and no option of ssh."""
    return _SSH.fullmatch(text) is not None


def editor_url(editor: Editor, spot: Spot, ssh: str = "") -> str | None:
    """Return the link that opens a spot of this machine, or of the one that is reached by `ssh`.

    None where the editor has no such link: a terminal, JetBrains over ssh, a name with `:5` in it.
    """
    if ssh and not is_ssh_target(ssh):
        return None
    path = quote(spot.path, safe="/")
    if editor in _JETBRAINS:
        at = "" if spot.line is None else f"&line={spot.line}&column={spot.column}"
        return None if ssh else f"{editor}://open?file={quote(spot.path, safe='')}{at}"
    if editor is Editor.TERMINAL or _LIKE_A_LINE.search(spot.path):
        return None
    if editor is Editor.ZED:
        return f"zed://ssh/{ssh}{path}{spot.suffix}" if ssh else f"zed://file{path}{spot.suffix}"
    scheme = _LIKE_CODE[editor]
    if ssh:
        return f"{scheme}://vscode-remote/ssh-remote+{quote(ssh, safe='')}{path}{spot.suffix}"
    return f"{scheme}://file{path}{spot.suffix or '/'}"


def terminal_command(folder: str, ssh: str = "") -> str:
    """Return the line for a shell that goes to a folder.

    Raises:
        ValueError: `ssh` is no host.
    """
    there = f"cd {shlex.quote(folder)}"
    if not ssh:
        return there
    if not is_ssh_target(ssh):
        raise ValueError(f"{ssh!r} is not an SSH host")
    host, _, port = ssh.partition(":")
    options = ["-p", port] if port else []
    return shlex.join(["ssh", "-t", *options, host, f"{there} && exec $SHELL -l"])


def program_arguments(editor: Editor, folder: str, spot: Spot) -> list[str] | None:
    """Return the arguments of an editor's own program for a spot in a folder; None for a terminal.

    Every path is absolute, so none is taken for an option.
    """
    if editor is Editor.TERMINAL:
        return None
    if editor in _JETBRAINS:
        at = [] if spot.line is None else ["--line", str(spot.line), "--column", str(spot.column)]
        return [*at, spot.path]
    if spot.line is None:
        return [spot.path]
    goto = ["--goto"] if editor in _LIKE_CODE else []
    return [folder, *goto, spot.path + spot.suffix]


NAMES: Mapping[Editor, str] = {
    Editor.CODE: "VS Code",
    Editor.INSIDERS: "VS Code Insiders",
    Editor.CURSOR: "Cursor",
    Editor.ZED: "Zed",
    Editor.IDEA: "IntelliJ IDEA",
    Editor.PYCHARM: "PyCharm",
    Editor.WEBSTORM: "WebStorm",
    Editor.TERMINAL: "a terminal",
}


_SPOT = re.compile(r"(?P<file>.+?)(?::(?P<line>\d{1,9}))?(?::(?P<column>\d{1,9}))?", re.DOTALL)


def spot_of(text: str) -> Spot:
    """Return what `FILE`, `FILE:LINE` or `FILE:LINE:COLUMN` means; a file without a line is at its first."""
    found = _SPOT.fullmatch(text)
    if found is None:
        return Spot(text, 1)
    return Spot(found["file"], max(1, int(found["line"] or 1)), max(1, int(found["column"] or 1)))
