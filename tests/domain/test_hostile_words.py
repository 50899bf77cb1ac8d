"""Texts of others stand in a line of ours and cannot end it: titles, file names, labels."""

import pytest

from domain.core.markdown import code, inline
from domain.core.text import bullets, on_one_line
from domain.plans.plan import PlannedTask

BREAKS = ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")


@pytest.mark.parametrize("line_break", BREAKS)
def test_a_text_stays_in_its_line_and_its_breaks_are_seen(line_break):
    hostile = f"zz.txt{line_break}  ✓ security review  3.1 s"

    for shown in (on_one_line(hostile), inline(hostile), code(hostile), bullets([hostile])):
        assert len(shown.splitlines()) == 1
        assert "security review" in shown
    assert on_one_line(hostile) == "zz.txt⏎  ✓ security review  3.1 s"


def test_a_title_cannot_forge_lines_of_a_brief_or_a_status():
    task = PlannedTask(id="a", title="Tidy up\n  ✓ b  Review the secrets  completed")

    assert task.title == "Tidy up⏎  ✓ b  Review the secrets  completed"


def test_what_has_no_line_break_stays_as_it_is():
    assert on_one_line("Ä€ שלום 日本 🎉\ttab") == "Ä€ שלום 日本 🎉\ttab"
