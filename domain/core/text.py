"""Numbers as people read them, and texts of others in lines of ours."""

import re
from collections.abc import Iterable

_BREAKS = re.compile(r"\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
_UNITS = ("bytes", "KB", "MB", "GB", "TB")
_STEP = 1000
_SECOND, _MINUTE, _HOUR, _DAY = 1_000, 60_000, 3_600_000, 86_400_000


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: `1 turn`, `1,200 turns`; the plural of the noun ends in s."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def on_one_line(text: str) -> str:
    """Return a text of others as it stands inside of a line of ours: its line breaks are seen.

    So no file name, title or error can pass for a line that Treadle wrote.
    """
    return _BREAKS.sub("⏎", text)


def bullets(texts: Iterable[str]) -> str:
    """Return a list in Markdown, a line each, whatever line breaks the texts hold."""
    return "\n".join(f"- {on_one_line(text)}" for text in texts)


def no_room_words(folder: str, free_bytes: int, needed_bytes: int | None = None) -> str:
    """Return one sentence about a full disk."""
    needs = "" if needed_bytes is None else f", needs about {size(needed_bytes)}"
    return f"no space left on {folder}: {size(free_bytes)} free{needs}; make room, then it goes on"


def size(number: float) -> str:
    """Return a number of bytes as people write it.

    >>> size(1_530_000)
    '1.5 MB'
    """
    power = 0
    while number >= _STEP and power < len(_UNITS) - 1:
        number, power = number / _STEP, power + 1
    return f"{number:.1f} {_UNITS[power]}" if power else f"{number:.0f} bytes"


def duration(ms: int) -> str:
    """Return a time in its two greatest units: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 14 min`, `3 d 4 h`."""
    if ms < 10 * _SECOND:
        return f"{ms / _SECOND:.1f} s"
    if ms < _MINUTE:
        return f"{ms // _SECOND} s"
    for unit, name, part, part_name in (
        (_DAY, "d", _HOUR, "h"),
        (_HOUR, "h", _MINUTE, "min"),
        (_MINUTE, "min", _SECOND, "s"),
    ):
        if ms >= unit:
            rest = ms % unit // part
            return f"{ms // unit:,} {name}" + (f" {rest} {part_name}" if rest else "")
    return ""


def spaced(name: str) -> str:
    """Return a name as a word: `needs_decision` is `needs decision`."""
    return name.replace("_", " ")
