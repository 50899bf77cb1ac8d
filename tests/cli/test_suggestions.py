"""Lines of one's own on the command line."""

import pytest
import typer

from cli.approvals.suggestions import taken_out, typed


@pytest.mark.parametrize(
    ("given", "path", "first", "last", "text"),
    [
        ("src/a.py:12:x = 1", "src/a.py", 12, 12, "x = 1"),
        ("src/a.py:12-14:x = {1: 2}", "src/a.py", 12, 14, "x = {1: 2}"),
        ("a:1:", "a", 1, 1, ""),
        ("a:1-2:one\ntwo", "a", 1, 2, "one\ntwo"),
    ],
)
def test_they_name_a_path_lines_and_what_comes_there(given, path, first, last, text):
    assert typed(given) == {"path": path, "first": first, "last": last, "text": text}


@pytest.mark.parametrize("given", ["a.py", "a.py:x:y", ":1:x", "a.py:1-:x", "a.py:-1:x"])
def test_what_names_no_lines_is_refused(given):
    with pytest.raises(typer.BadParameter, match="does not name lines"):
        typed(given)


@pytest.mark.parametrize(
    ("given", "path", "first", "last"),
    [
        ("src/a.py:12", "src/a.py", 12, 12),
        ("src/a.py:12-14", "src/a.py", 12, 14),
        ("a:1:2", "a:1", 2, 2),
    ],
)
def test_lines_are_taken_out_by_their_place_alone(given, path, first, last):
    assert taken_out(given) == {"path": path, "first": first, "last": last, "text": None}


@pytest.mark.parametrize("given", ["a.py", "a.py:x", ":1", "a.py:1-", "a.py:1:", "a.py:1:x"])
def test_what_names_no_lines_takes_nothing_out(given):
    with pytest.raises(typer.BadParameter, match="names no lines"):
        taken_out(given)
