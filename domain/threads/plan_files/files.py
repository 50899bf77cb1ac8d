"""Which plan files there are, what they may hold, and what archived ones are called."""

import re
from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from domain.threads.plan_files.errors import BadUnicodeError, TooLargeError, UnknownFileError

MAX_BYTES = 256 << 10
"""Of one plan file."""

_ARCHIVE = re.compile(r"plan-\d{8}-\d{4}(-([2-9]|[1-9]\d{1,5}))?", re.ASCII)
_UNHOLDABLE = re.compile("[\ud800-\udfff\0]")
_ECHO = 80


class PlanFile(StrEnum):
    """One of the three files; its name on the disk ends in `.md`."""

    TASK_PLAN = "task_plan"
    FINDINGS = "findings"
    PROGRESS = "progress"

    @property
    def file_name(self) -> str:
        """What it is called on the disk."""
        return f"{self.value}.md"


def plan_file(which: object) -> PlanFile:
    """Return the file of a name, which is taken as it is and never as a path.

    Raises:
        UnknownFileError: There is none of that name.
    """
    for known in PlanFile:
        if which == known.value:
            return known
    allowed = ", ".join(PlanFile)
    raise UnknownFileError(f"there is no plan file {str(which)[:_ECHO]!r}; there are: {allowed}")


def check_text(text: str) -> None:
    """Refuse what no plan file may hold.

    Raises:
        BadUnicodeError: It has half of a character, or a NUL.
        TooLargeError: It has more than 256 KiB.
    """
    if bad := _UNHOLDABLE.search(text):
        raise BadUnicodeError(
            f"the text has the character U+{ord(bad[0]):04X} at {bad.start()}, which no file can hold"
        )
    size = len(text.encode())
    if size > MAX_BYTES:
        raise TooLargeError(
            f"a plan file has at most {MAX_BYTES} bytes, this would have {size}: keep what matters, "
            "and put long output in files of the repository"
        )


def archive_name(now: datetime, taken: Collection[str]) -> str:
    """Return the name of a plan that is archived now; a second one in a minute gets a number."""
    name = f"plan-{now:%Y%m%d-%H%M}"
    number = 1
    while (numbered := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return numbered


def is_archive_name(name: str) -> bool:
    """Tell whether an archived plan can have this name."""
    return bool(_ARCHIVE.fullmatch(name))
