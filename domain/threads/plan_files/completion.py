"""Whether a plan is done: told by its structure, never by a phrase somewhere in it."""

import re

from domain.threads.plan_files.errors import TangledTextError
from domain.threads.plan_files.outline import Heading, Outline, outline_of

_STATUS = re.compile(
    r"(?:\*\*Status:\*\*|\*\*Status\*\*:|Status:)[ \t]*(.*?)[ \t.]*", re.IGNORECASE
)
_PHASE = re.compile(r"Phase\s+\S.*", re.IGNORECASE)
_LONGEST_STATUS = 200
_DONE = frozenset({"complete", "completed"})


def is_complete(text: str) -> bool:
    """Tell whether a task plan says that it is done.

    Its header, which is what stands before its second heading, has a line `**Status:** complete`; or
    it has phases, headings like `### Phase 1: Look`, and each has such a line. A text that is too
    tangled to read says nothing.
    """
    try:
        outline = outline_of(text)
    except TangledTextError:
        return False
    header = outline.prose_between(0, _end_of_header(outline))
    return _is_done(header) or _has_only_done_phases(outline)


def _end_of_header(outline: Outline) -> int | None:
    begins_with_title = bool(outline.headings) and _is_title(outline.headings[0])
    following = outline.headings[1:] if begins_with_title else outline.headings
    return following[0].start if following else None


def _is_title(heading: Heading) -> bool:
    return heading.level == 1 and not _PHASE.fullmatch(heading.text)


def _has_only_done_phases(outline: Outline) -> bool:
    phases = [heading for heading in outline.headings if _PHASE.fullmatch(heading.text)]
    bodies = (outline.prose_between(phase.body, outline.end_of(phase)) for phase in phases)
    return bool(phases) and all(_is_done(lines) for lines in bodies)


def _is_done(lines: list[str]) -> bool:
    short = (line for line in lines if len(line) <= _LONGEST_STATUS)
    statuses = [found[1].lower() for line in short if (found := _STATUS.fullmatch(line))]
    return bool(statuses) and all(status in _DONE for status in statuses)
