"""The structure of plan files: headings, sections, and what replacing one of them leaves alone."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from domain.threads.plan_files.errors import (
    AmbiguousSectionError,
    BadUnicodeError,
    BrokenSectionError,
    SectionNotFoundError,
    TooLargeError,
)
from domain.threads.plan_files.files import MAX_BYTES
from domain.threads.plan_files.outline import lines_of, outline_of
from domain.threads.plan_files.sections import with_section

PIECES = (
    *("# A", "## B", "## C ##", "### D", "#E", "    # F", "Setext\n---", "> # G", "- # H"),
    *("```", "~~~", "<!--", "-->", "<pre>", "**Status:** complete", "- a", "  b", "text", "", "\t"),
    *("a\r", "\u2028", "\x0b", "[x]: y", "***", "===", "| a |", "1. z"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("\n".join)
FILE = "# Plan\n\nintro\n\n## Notes\n\nold\n\n### Deep\n\nold too\n\n## Last\n\nstays\n"


def names(text):
    return [str(heading) for heading in outline_of(text).headings]


@given(TEXTS)
def test_lines_are_a_text_s_own_and_headings_stand_in_order(text):
    lines = lines_of(text)
    starts = [heading.start for heading in outline_of(text).headings]

    assert "".join(lines) == text
    assert starts == sorted(set(starts))
    assert all(start < len(lines) for start in starts)


@given(TEXTS, TEXTS, st.data())
@example("# A\n\n## B\n```\n# no\n```\n## C\n", "<!--", None)
def test_what_is_replaced_is_one_section_and_again_the_same(text, content, data):
    outline = outline_of(text)
    assume(outline.headings)
    heading = data.draw(st.sampled_from(outline.headings)) if data else outline.headings[0]
    try:
        once = with_section(text, str(heading), content)
    except (AmbiguousSectionError, BrokenSectionError, SectionNotFoundError):
        return
    lines, end = lines_of(text), outline.end_of(heading)

    assert once.startswith("".join(lines[: heading.body]))
    assert once.endswith("".join(lines[end:]) if end is not None else "\n")
    assert with_section(once, str(heading), content) == once


def test_a_section_is_replaced_with_its_subsections_and_nothing_else():
    changed = with_section(FILE, "Notes", "new\n\n### Own\n\nmore")

    assert changed == (
        "# Plan\n\nintro\n\n## Notes\n\nnew\n\n### Own\n\nmore\n\n## Last\n\nstays\n"
    )
    assert with_section(FILE, "## Notes", "## Notes\nnew\n\n### Own\n\nmore") == changed
    assert with_section(FILE, "Last", "") == FILE.removesuffix("\nstays\n")


@pytest.mark.parametrize(
    "section", ["notes", "Notes ", "### Notes", "No.es", "Not", ".*", "\\", ""]
)
def test_a_heading_is_found_by_its_whole_text_and_case_only(section):
    if section == "Notes ":
        assert "new" in with_section(FILE, section, "new")
        return
    with pytest.raises(SectionNotFoundError) as refused:
        with_section(FILE, section, "new")
    assert "# Plan; ## Notes; ### Deep; ## Last" in refused.value.message


@pytest.mark.parametrize("heading", ["C++ (a|b)* [^$]", "$1 \\1 {x}", "*", "a" * 300])
def test_a_heading_may_have_any_characters(heading):
    text = f"# {heading}\n\nold\n"
    assert with_section(text, heading, "\\1 new") == f"# {heading}\n\n\\1 new\n"


def test_a_heading_in_a_fence_or_a_comment_is_none():
    text = "# A\n\n```\n## B\n```\n\n<!--\n## B\n-->\n\n## B\n\nold\n"

    assert names(text) == ["# A", "## B"]
    assert with_section(text, "B", "new").endswith("## B\n\nnew\n")


def test_a_file_of_windows_keeps_its_line_ends_and_its_byte_order_mark():
    text = "\ufeff# A\r\n\r\nold\r\n\r\n## B\r\nb\r\n"

    assert with_section(text, "B", "x\ny") == text.replace("\nb\r\n", "\n\r\nx\r\ny\r\n")
    assert with_section("\ufeff# A\n", "A", "new") == "\ufeff# A\n\nnew\n"


def test_two_headings_of_one_text_are_reported_apart_by_their_rank_or_not_at_all():
    twice = "# A\n\n## N\n\nx\n\n### N\n\ny\n"
    with pytest.raises(AmbiguousSectionError, match=r"# A; ## N; ### N"):
        with_section(twice, "N", "new")

    assert with_section(twice, "### N", "new") == "# A\n\n## N\n\nx\n\n### N\n\nnew\n"
    with pytest.raises(AmbiguousSectionError):
        with_section("## N\n\n## N\n", "## N", "new")


@pytest.mark.parametrize(
    "content",
    ["```\nopen", "<!-- open", "# Higher", "## Notes\n\n## Same", "## Last\n\n```\nopen"],
)
def test_content_that_would_change_other_sections_is_refused(content):
    with pytest.raises(BrokenSectionError, match="Notes"):
        with_section(FILE, "Notes", content)


def test_a_file_grows_to_its_limit_and_not_beyond():
    room = MAX_BYTES - len(b"# A\n\n\n")
    assert len(with_section("# A\n", "A", "x" * room).encode()) == MAX_BYTES
    with pytest.raises(TooLargeError):
        with_section("# A\n", "A", "x" * (room + 1))


@pytest.mark.parametrize("content", ["\ud800", "a\0b"])
def test_what_no_file_can_hold_is_refused(content):
    with pytest.raises(BadUnicodeError):
        with_section("# A\n", "A", content)
