"""Plan files made to be slow to read: the work that they take is bounded, counted in steps and not in time."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.threads.plan_files.completion import is_complete
from domain.threads.plan_files.errors import TangledTextError
from domain.threads.plan_files.files import MAX_BYTES
from domain.threads.plan_files.outline import MAX_STEPS, outline_of
from domain.threads.plan_files.sections import with_section
from tests.hypothesis_profiles import effort

QUADRATIC = ["===\n>```\n", "\\\r> [a]: b\n", "[a]: b\n===\n>````\n"]
BITS = [
    "> ",
    "- ",
    "1. ",
    "    ",
    "\t",
    "a",
    "\n",
    "\r",
    "# ",
    "```",
    "<a",
    "<!--",
    "[a]: b\n",
    "===",
]
PLAN = """# Task plan: parser

**Status:** in progress

### Phase {n}: Look at the lexer
- [x] Read `lexer.py`, and what calls it
  - [ ] write down what it does with tabs, in findings
- **Status:** complete

> What the person said of it, in two lines
> that go on here.

| Error | Attempt | Resolution |
|---|---|---|
| it hangs | {n} | a fence was open |

"""


FEW = 5_000


def full(unit, parts=1):
    return unit * (MAX_BYTES // parts // len(unit.encode()))


def calls_of(text):
    """Return how many functions of Python the reader calls."""
    called = 0

    def count(frame, event, argument):
        nonlocal called
        called += event == "call"

    sys.setprofile(count)
    try:
        outline_of(text, FEW)
    except TangledTextError:
        pass
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.parametrize("unit", QUADRATIC)
def test_a_text_that_is_read_again_for_each_of_its_lines_is_refused(unit):
    with pytest.raises(TangledTextError, match="fewer"):
        outline_of(full(unit, 16))


@pytest.mark.parametrize("unit", QUADRATIC)
def test_what_is_done_for_a_step_does_not_grow_with_the_text(unit):
    assert calls_of(full(unit, 64)) < 40 * FEW
    assert calls_of(full(unit, 16)) < 40 * FEW


@given(st.lists(st.sampled_from(BITS), min_size=1, max_size=6), st.integers(1, 600))
@effort(60)
def test_a_text_is_read_as_it_is_or_refused_once_it_takes_too_many_steps(bits, times):
    text = "".join(bits) * times
    try:
        outline = outline_of(text, 2_000)
    except TangledTextError:
        return
    assert outline.steps <= 2_000
    assert outline == outline_of(text)


def test_a_plan_of_the_greatest_size_is_far_from_refused():
    text = "".join(PLAN.format(n=n) for n in range(2_000)).encode()[:MAX_BYTES].decode()
    assert outline_of(text).steps < MAX_STEPS / 2


def test_a_log_of_short_lines_is_read():
    text = full("12:01 ok\n")
    assert outline_of(text).steps < MAX_STEPS


def test_a_tangled_plan_is_not_complete_and_none_of_its_sections_are_replaced():
    text = "# Plan\n\n**Status:** complete\n\n" + full(QUADRATIC[0], 16)
    assert not is_complete(text)
    with pytest.raises(TangledTextError):
        with_section(text, "Plan", "new")


def test_a_section_that_would_make_its_file_tangled_is_refused():
    with pytest.raises(TangledTextError):
        with_section("# Plan\n\n## Notes\n", "Notes", full(QUADRATIC[0], 16))
