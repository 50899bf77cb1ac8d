"""`treadle open --in`: a worktree, or a line of a file in it, in an editor."""

import os
import shlex
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from rich.style import Style
from rich.text import Text

from cli.core.editors import linked
from domain.core.editors import Editor, Spot
from tests.cli.test_commands import THREAD, VIEW, shown, treadle

assert treadle  # the fixture

HOSTILE = """a b#%?"'.py"""
ROUTE = f"GET /v1/threads/{THREAD}/tasks/parse/worktree"


@pytest.fixture
def worktree(api, tmp_path):
    """A worktree on this machine, with a file whose name is a trap."""
    folder = tmp_path / "work tree"
    folder.mkdir()
    (folder / HOSTILE).write_text("x\n")
    shown(api, VIEW)
    placed(api, folder)
    return folder


def placed(api, path: Path, host: str = "here", *, is_here: bool = True) -> None:
    api.answers[ROUTE] = (200, {"path": str(path), "host": host, "is_here": is_here})


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Editors that write down what they were given, a word a line."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name in ("code", "zed", "idea"):
        program = bin_folder / name
        script = f"import sys; open({str(tmp_path / name)!r}, 'w').write('\\0'.join(sys.argv[1:]))"
        program.write_text(
            f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(script)} "$@"\n'
        )
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}{os.pathsep}{os.environ['PATH']}")
    return lambda name: (tmp_path / name).read_text().split("\0")


def test_a_worktree_opens_in_an_editor_with_a_warning(treadle, worktree, programs):
    said = treadle("open", "1a2b3c", "parse", "--in", "code")
    assert said.exit_code == 0
    assert programs("code") == [str(worktree)]
    assert "An agent may be at work in it" in said.stderr


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        ("code", ["{folder}", "--goto", "{file}:7:3"]),
        ("zed", ["{folder}", "{file}:7:3"]),
        ("idea", ["--line", "7", "--column", "3", "{file}"]),
    ],
)
def test_a_line_of_a_file_opens_whatever_it_is_called(
    api, treadle, worktree, programs, editor, expected
):
    file = worktree / HOSTILE
    api.then[ROUTE] = lambda: placed(api, file)  # the worktree is asked for first, then the file

    treadle("open", "1a2b3c", "parse", f"{HOSTILE}:7:3", "--in", editor)

    asked = [parse_qs(urlsplit(line.split()[1]).query) for line, _, _ in api.got if ROUTE in line]
    assert asked == [{}, {"file": [HOSTILE]}]
    names = {"folder": str(worktree), "file": str(file)}
    assert programs(editor) == [word.format(**names) for word in expected]


def test_a_path_is_printed_and_nothing_is_opened(treadle, worktree, programs):
    said = treadle("open", "1a2b3c", "parse", "--print")
    assert said.stdout == f"{worktree}\n"
    with pytest.raises(FileNotFoundError):
        programs("code")


def link_of(text: Text) -> str | None:
    """Return what a text leads to as a whole; None if to nothing."""
    links = {span.style.link for span in text.spans if isinstance(span.style, Style)}
    return links.pop() if len(links) == 1 else None


def test_a_path_is_a_link_where_the_terminal_has_those():
    spot = Spot(f"/w/{HOSTILE}", 7)
    assert link_of(linked(spot)) == "file:///w/a%20b%23%25%3F%22%27.py"
    assert link_of(linked(spot, Editor.ZED)) == "zed://file/w/a%20b%23%25%3F%22%27.py:7:1"
    assert link_of(linked(spot, Editor.IDEA, "build")) is None
    assert linked(Spot("/w/a\x1b]8;;x\x07b")).plain.isprintable()


def test_on_another_host_a_way_is_printed_once_it_is_known(api, treadle, worktree):
    placed(api, Path("/srv/w t"), "build", is_here=False)
    said = treadle("open", "1a2b3c", "parse", "--in", "code")
    assert said.exit_code != 0
    assert "it is on host build: /srv/w t" in str(said.exception)
    by_ssh = treadle("open", "1a2b3c", "parse", "--in", "code", "--ssh", "me@build")
    assert by_ssh.stdout == "vscode://vscode-remote/ssh-remote+me%40build/srv/w%20t\n"
    shell = treadle("open", "1a2b3c", "parse", "--in", "terminal", "--ssh", "me@build").stdout
    assert shlex.split(shell)[:3] == ["ssh", "-t", "me@build"]


def test_an_option_of_ssh_is_no_host(treadle, worktree):
    said = treadle("open", "1a2b3c", "parse", "--in", "code", "--ssh", "-oProxyCommand=x")
    assert said.exit_code == 2


def test_what_is_gone_is_said(api, treadle, worktree, tmp_path):
    placed(api, tmp_path / "gone")
    said = treadle("open", "1a2b3c", "parse", "--in", "code")
    assert "is not on this machine" in str(said.exception)
