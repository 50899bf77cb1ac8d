"""Whether a plan is done: told by its structure, never by a phrase somewhere in it."""

import re
from collections.abc import Iterator

from domain.threads.plan_files.errors import TangledTextError
from domain.threads.plan_files.outline import Heading, Outline, outline_of

_STATUS = re.compile(
    r"(?:\*\*Status:\*\*|\*\*Status\*\*:|Status:)[ \t]*(.*?)[ \t.]*", re.IGNORECASE
)
_PHASE = re.compile(r"Phase\s+([^\s:.*]+).*", re.IGNORECASE)
_BOX = re.compile(r"\[([ xX])\]\s+\W*(Phase\s.*)", re.IGNORECASE)
_LONGEST_STATUS = 200
_DONE = frozenset({"complete", "completed"})


def is_complete(text: str) -> bool:
    """Tell whether a task plan says that it is done.

    Its header, which is what stands before its second heading, has a line `**Status:** complete`; or
    it has phases, headings like `### Phase 1: Look`, and each has such a line or is checked in a list,
    `- [x] Phase 1`; the list alone is enough, too. A text that is too tangled to read says nothing.
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
    boxes = [*_boxes(outline.prose_between(0, None))]
    checked = {name for name, is_checked in boxes if is_checked}
    phases = [heading for heading in outline.headings if _PHASE.fullmatch(heading.text)]
    said = [_statuses(outline.prose_between(p.body, outline.end_of(p))) for p in phases]
    is_each_done = all(
        statuses <= _DONE if statuses else _name(phase.text) in checked
        for phase, statuses in zip(phases, said, strict=True)
    )
    return bool(phases or boxes) and is_each_done and all(is_done for _, is_done in boxes)


def _boxes(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield the phases of a checklist, and whether they are checked."""
    short = (line for line in lines if len(line) <= _LONGEST_STATUS)
    for found in filter(None, map(_BOX.fullmatch, short)):
        yield _name(found[2]), found[1] != " "


def _name(phase: str) -> str:
    """Return what a phase is called without its title: the 1 of `Phase 1: Look`."""
    found = _PHASE.fullmatch(phase)
    return found[1].lower() if found else ""


def _is_done(lines: list[str]) -> bool:
    statuses = _statuses(lines)
    return bool(statuses) and statuses <= _DONE


def _statuses(lines: list[str]) -> set[str]:
    short = (line for line in lines if len(line) <= _LONGEST_STATUS)
    return {found[1].lower() for line in short if (found := _STATUS.fullmatch(line))}
