"""Links into editors: whatever a file is called, a link says that file and nothing else."""

import json
import shlex
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.editors import (
    Editor,
    Spot,
    editor_url,
    is_ssh_target,
    program_arguments,
    spot_of,
    terminal_command,
)
from tests.hypothesis_profiles import effort

SHARED = json.loads(
    (Path(__file__).parent.parent.parent / "web/test/editor_links.json").read_text()
)
"""The same links that the page makes (web/test/editors.test.ts)."""

HOSTILE = """/w/a b#%?"'.py"""
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(lambda parts: "/" + "/".join(parts))


@pytest.mark.parametrize("case", SHARED, ids=lambda case: case["url"] or case["editor"])
def test_links_are_those_of_the_page(case):
    spot = Spot(case["path"], case["line"], case.get("column", 1))
    assert editor_url(Editor(case["editor"]), spot, case["ssh"]) == case["url"]


@given(path=PATHS, line=st.one_of(st.none(), st.integers(1, 10**6)))
@effort(60)
@pytest.mark.parametrize("editor", [Editor.CODE, Editor.CURSOR, Editor.ZED])
def test_a_link_leads_to_its_path_whatever_it_is_called(editor, path, line):
    url = editor_url(editor, Spot(path, line))
    if url is None:
        return
    parts = urlsplit(url)
    at = "" if line is None else f":{line}:1"
    assert unquote(parts.path).removesuffix("/") == (path + at).removesuffix("/")
    assert (parts.netloc, parts.query, parts.fragment) == ("file", "", "")


@given(path=PATHS, line=st.integers(1, 10**6))
@effort(60)
def test_a_link_of_jetbrains_leads_there_too(path, line):
    query = urlsplit(editor_url(Editor.IDEA, Spot(path, line)) or "").query
    assert parse_qs(query, keep_blank_values=True) == {
        "file": [path],
        "line": [str(line)],
        "column": ["1"],
    }


@given(path=PATHS)
@effort(60)
def test_a_shell_takes_a_folder_for_one_word(path):
    assert shlex.split(terminal_command(path)) == ["cd", path]
    *command, remote = shlex.split(terminal_command(path, "me@build"))
    assert command == ["ssh", "-t", "me@build"]
    assert shlex.split(remote) == ["cd", path, "&&", "exec", "$SHELL", "-l"]


@pytest.mark.parametrize(
    "host", ["-oProxyCommand=x", "a b", "a;b", "$(x)", "", "a/b", "me@-x", "a\nb", "h:123456"]
)
def test_what_is_no_host_is_none(host):
    assert not is_ssh_target(host)
    if host:
        assert editor_url(Editor.CODE, Spot("/w"), host) is None
        with pytest.raises(ValueError, match="not an SSH host"):
            terminal_command("/w", host)


@pytest.mark.parametrize("host", ["build", "me@build.example", "10.0.0.1", "build:2222"])
def test_what_is_a_host_is_one(host):
    assert is_ssh_target(host)


@pytest.mark.parametrize(
    ("text", "spot"),
    [
        ("src/a.py", Spot("src/a.py", 1)),
        ("src/a.py:7", Spot("src/a.py", 7)),
        ("src/a.py:7:3", Spot("src/a.py", 7, 3)),
        ("a:b:7", Spot("a:b", 7)),
        ("a:0", Spot("a", 1)),
        (":7", Spot(":7", 1)),
    ],
)
def test_a_place_is_a_file_and_perhaps_a_line(text, spot):
    assert spot_of(text) == spot


def test_programs_are_given_absolute_paths_and_the_line():
    spot = Spot(HOSTILE, 7, 3)
    assert program_arguments(Editor.CODE, "/w", spot) == ["/w", "--goto", f"{HOSTILE}:7:3"]
    assert program_arguments(Editor.ZED, "/w", spot) == ["/w", f"{HOSTILE}:7:3"]
    assert program_arguments(Editor.IDEA, "/w", spot) == ["--line", "7", "--column", "3", HOSTILE]
    assert program_arguments(Editor.CODE, "/w", Spot("/w")) == ["/w"]
    assert program_arguments(Editor.TERMINAL, "/w", spot) is None
