"""What a reader sees of a terminal's output."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.terminals import as_read

SAID = {
    "colours": ("\x1b[1;36mhi\x1b[0m there", "hi there"),
    "a title": ("\x1b]0;title\x07up", "up"),
    "a link": ("\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"),
    "a charset and a cursor": ("\x1b(B\x1b[?25lon", "on"),
    "progress": ("10%\r20%\r100%\r\ndone\n", "100%\ndone\n"),
    "progress that goes on": ("a\n10%\r20%\r", "a\n20%"),
    "a sequence that is cut": ("up\x1b[3", "up3"),
    "a title without its end": ("\x1b]0;title\nhidden?\n", "\nhidden?\n"),
    "tabs": ("a\tb", "a\tb"),
}


@pytest.mark.parametrize("name", SAID)
def test_only_words_are_left(name):
    said, seen = SAID[name]

    assert as_read(said) == seen


@given(st.text(st.sampled_from("ab\r\n\t\x07\x08\x1b\x9b[]0;m\\(")))
def test_nothing_that_steers_a_terminal_is_left(text):
    seen = as_read(text)

    assert not set(seen) & set("\x07\x08\x1b\x9b\r")
    assert as_read(seen) == seen
