import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.markdown import code, fenced, inline
from domain.core.printable import UNPRINTABLE, visible

HOSTILE = st.text(st.sampled_from("`~*_#<>[]()!|\\&-+=1. \n\t\r\x1b\u202e\u200babc"), max_size=60)
STEERING = re.compile(f"[{UNPRINTABLE}]")


@given(HOSTILE)
def test_a_fence_is_closed_by_nothing_inside_of_it(text):
    first, *inside, last, end = fenced(text).split("\n")

    fence = first.removesuffix("text")
    assert set(fence) == {"`"}
    assert last == fence
    assert not end
    assert not any(line.strip().startswith(fence) for line in inside)


@given(HOSTILE)
def test_code_on_a_line_ends_where_it_says(text):
    shown = code(text)
    quote = re.match("`*", shown)[0]
    assert "\n" not in shown
    if shown:
        assert shown.endswith(quote)
        assert quote not in re.findall("`+", shown[len(quote) : -len(quote)])


@given(HOSTILE)
def test_nothing_in_a_line_is_markup(text):
    shown = inline(text)
    unescaped = re.sub(r"\\[\\`*_\[\]<>&|~$]", "", shown)
    assert not re.search(r"[`*_\[\]<>&|~$\n]", unescaped)
    assert not re.match(r"(#|[-+] |\d+[.)]|=)", shown)


@given(st.text())
def test_nothing_steers_and_nothing_is_hidden(text):
    shown = visible(text)
    assert not STEERING.search(shown)
    assert len(shown) >= len(text.replace("\r\n", "\n"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "[U+001B][31mred[U+001B][0m"),
        ("user\u202etxt.exe", "user[U+202E]txt.exe"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("ünï 🧵", "ünï 🧵"),
    ],
)
def test_what_steers_is_written_out(text, shown):
    assert visible(text) == shown


def test_a_long_text_is_cut_and_the_cut_is_reported():
    assert "40 more characters are left out" in fenced("x" * 100, limit=60)
