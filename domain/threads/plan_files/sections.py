"""Replacing one section of a plan file, and nothing around it."""

import re
from collections.abc import Sequence

from domain.threads.plan_files.errors import (
    AmbiguousSectionError,
    BrokenSectionError,
    SectionNotFoundError,
)
from domain.threads.plan_files.files import check_text
from domain.threads.plan_files.outline import Heading, Outline, lines_of, outline_of

_WRITTEN = re.compile(r"(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?")
_END = re.compile(r"\r\n|\r|\n")
_MAX_LISTED = 40
_ECHO = 120


def with_section(text: str, section: str, content: str) -> str:
    """Return a text with what stands below one heading replaced, its subsections too.

    The heading is named by its text, to the letter, with or without its `#`s. The content may repeat
    the heading; headings of its own must be deeper. Twice gives the same as once. Its lines end
    as the heading does.

    Raises:
        SectionNotFoundError: There is no such heading.
        AmbiguousSectionError: There are several.
        BrokenSectionError: What stands around the section would be read in another way.
        TooLargeError: The file would be larger than one may be.
        TangledTextError: The file has a structure that takes too long to find out, or would have.
    """
    check_text(content)
    outline = outline_of(text)
    heading = _heading(outline, section)
    lines, end = lines_of(text), outline.end_of(heading)
    above = _ended("".join(lines[: heading.body]))
    below = "" if end is None else "".join(lines[end:])
    body = _without_heading(content, heading).strip("\r\n")
    body = f"\n{_ended(body)}" if body.strip() else ""
    new = f"{body}\n" if below else body
    new = above + _ended_like(lines[heading.body - 1], new)
    check_text(new + below)
    moved_by = 0 if end is None else len(lines_of(new)) - end
    _check_around(outline, heading, outline_of(new + below), moved_by)
    return new + below


def _heading(outline: Outline, section: str) -> Heading:
    wanted = section.strip()
    found = [heading for heading in outline.headings if heading.text == wanted]
    if not found and (written := _WRITTEN.fullmatch(wanted)):
        level, text = len(written[1]), written[2]
        found = [h for h in outline.headings if (h.level, h.text) == (level, text)]
    if len(found) == 1:
        return found[0]
    shown = f"{wanted[:_ECHO]!r}"
    if found:
        raise AmbiguousSectionError(
            f"{len(found)} headings are called {shown}: give one another name with write_plan, or "
            f"name it with its '#'s; the file has: {_listed(outline)}"
        )
    raise SectionNotFoundError(f"no heading is called {shown}; the file has: {_listed(outline)}")


def _listed(outline: Outline) -> str:
    shown = "; ".join(str(heading)[:_ECHO] for heading in outline.headings[:_MAX_LISTED])
    rest = len(outline.headings) - _MAX_LISTED
    return f"{shown or 'none'}{f'; and {rest} more' if rest > 0 else ''}"


def _without_heading(content: str, heading: Heading) -> str:
    """Return the content without the section's own heading, where it begins with it."""
    first = next(iter(outline_of(content).headings), None)
    lines = lines_of(content)
    if first is None or (first.level, first.text) != (heading.level, heading.text):
        return content
    return content if "".join(lines[: first.start]).strip() else "".join(lines[first.body :])


def _ended(text: str) -> str:
    return text if text.endswith(("\n", "\r")) else f"{text}\n"


def _ended_like(line: str, text: str) -> str:
    end = line[len(line.rstrip("\r\n")) :] or "\n"
    return end.join(_END.split(text))


def _check_around(before: Outline, heading: Heading, after: Outline, moved_by: int) -> None:
    """Refuse content that swallows headings behind it, or has some that end its section."""
    at = before.headings.index(heading)
    end = before.end_of(heading)
    above = before.headings[: at + 1]
    below = tuple(h for h in before.headings if end is not None and h.start >= end)
    own = after.headings[at + 1 : len(after.headings) - len(below)]
    expected = (*_placed(above), *_placed(own), *_placed(below, moved_by))
    if expected == _placed(after.headings) and all(h.level > heading.level for h in own):
        return
    raise BrokenSectionError(
        f"the content would change what stands around '{str(heading)[:_ECHO]}': close its fences and "
        f"comments, and begin its own headings with more than {heading.level} '#'; for anything else "
        "use write_plan"
    )


def _placed(headings: Sequence[Heading], moved_by: int = 0) -> tuple[tuple[int, str, int], ...]:
    return tuple((heading.level, heading.text, heading.start + moved_by) for heading in headings)
