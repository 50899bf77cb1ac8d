"""What others wrote, as a terminal gets it: inert, and nothing of it hidden."""

import json
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.core.console import inert, print_json

STEERING = {
    "colour": "\x1b[31mred",
    "clear the screen": "\x1b[2J\x1b[H",
    "title": "\x1b]0;title\x07",
    "link": "\x1b]8;;http://x\x1b\\\\text",
    "clipboard": "\x1b]52;c;cm0=\x07",
    "8-bit": "\x9b2J",
    "overwrite the line": "ok\rbad\x08\x08",
    "turn text around": "a\u202eb\u2066c\u061c",
    "invisible": "a\u200bb\u2060c\ufeff",
    "tags": "a" + "".join(chr(0xE0000 + ord(c)) for c in "run"),
    "NUL, DEL": "a\x00b\x7f",
    "half a character": "a\ud800",
}


def is_inert(text):
    kinds = {unicodedata.category(c) for c in text if c not in "\t\n"}
    return not kinds & {"Cc", "Cs", "Zl", "Zp"} and "\u202e" not in text


@pytest.mark.parametrize("text", STEERING.values(), ids=STEERING.keys())
def test_what_steers_a_terminal_is_seen_and_does_nothing(text, capsys):
    assert is_inert(inert(text))
    assert "�" in inert(text)

    print_json({"text": text})
    printed = capsys.readouterr().out
    assert is_inert(printed)
    assert json.loads(printed) == {"text": text}


@given(st.text(st.one_of(st.characters(), st.sampled_from("\x1b[]9;m\x9b\u202e\x07"))))
def test_what_is_inert_stays_as_it_is(text):
    assert is_inert(inert(text))
    assert inert(inert(text)) == inert(text)


@pytest.mark.parametrize(
    "part", ["\x1b[", "\x1b[1;", "\x1b", "\x1b]", "a\u202e", "\x9b9 ", "plain "]
)
def test_a_megabyte_takes_no_time(part):
    text = part * ((1 << 20) // len(part))
    started = time.process_time()
    inert(text)
    assert time.process_time() - started < 0.3


def test_tabs_lines_and_letters_of_all_scripts_pass():
    text = "a\tb\nÄ€ שלום 日本 🎉 𝒳"
    assert inert(text) == text
