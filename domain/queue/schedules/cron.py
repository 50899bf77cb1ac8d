"""When a schedule comes due: five fields as cron(5) reads them, and nothing that only some cron takes.

Temporal reads more than that, and days otherwise: with a day of the month and a day of the week it
wants both, where cron takes either. So the fields are read here, and it is given calendars.
"""

import re
from collections.abc import Iterator, Mapping

from domain.core.errors import InvalidError
from domain.core.wire import Wire

MAX_CRON = 200
_ALIASES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Days of each month in a leap year."""

_FIELDS: tuple[tuple[str, range, Mapping[str, int]], ...] = (
    ("minute", range(60), {}),
    ("hour", range(24), {}),
    ("day of the month", range(1, 32), {}),
    ("month", range(1, 13), {name: number for number, name in enumerate(_MONTHS, 1)}),
    ("day of the week", range(8), {name: number for number, name in enumerate(_WEEKDAYS)}),
)
_PART = re.compile(r"(\*|[0-9a-z]+)(?:-([0-9a-z]+))?(?:/([0-9]{1,3}))?", re.ASCII)


class CronError(InvalidError):
    """A schedule's cron expression is invalid or never matches; the message says why."""

    type = "bad_cron"


class Calendar(Wire):
    """The times at which every field has one of its numbers; Sunday is 0."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]
    months: tuple[int, ...]
    weekdays: tuple[int, ...]


def read_cron(text: str) -> tuple[Calendar, ...]:
    """Return the calendars whose times, all together, are meant.

    Raises:
        CronError: It is not cron, or there is no such time.
    """
    fields = _ALIASES.get(text.strip().lower(), text.lower()).split()
    if len(text) > MAX_CRON or len(fields) != len(_FIELDS):
        raise _error(text, "it must have five fields")
    minutes, hours, days, months, weekdays = (
        _numbers(text, field, *known) for field, known in zip(fields, _FIELDS, strict=True)
    )
    weekdays = tuple(sorted({number % 7 for number in weekdays}))
    calendar = Calendar(minutes=minutes, hours=hours, days=days, months=months, weekdays=weekdays)
    if not fields[2].startswith("*") and not fields[4].startswith("*"):
        # either of the two days, as cron(5) says
        by_day = calendar.model_copy(update={"weekdays": tuple(range(7))})
        by_weekday = calendar.model_copy(update={"days": tuple(range(1, 32))})
        return tuple(each for each in (by_day, by_weekday) if _comes(each))
    if not _comes(calendar):
        raise _error(text, "no month has that day, so it would never come")
    return (calendar,)


def ranges(numbers: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield first and last of each run of numbers without a gap; they are sorted."""
    first = last = numbers[0]
    for number in numbers[1:]:
        if number > last + 1:
            yield first, last
            first = number
        last = number
    yield first, last


def _numbers(
    text: str, field: str, name: str, allowed: range, words: Mapping[str, int]
) -> tuple[int, ...]:
    """Return the numbers that a field means."""
    found: set[int] = set()
    for part in field.split(","):
        matched = _PART.fullmatch(part)
        if matched is None:
            raise _error(text, f"{part[:40]!r} is no {name}")
        start, end, step = matched.groups()
        first, last = allowed[0], allowed[-1]
        if start != "*":
            first = _number(text, start, name, allowed, words)
            last = first if end is None and step is None else last
        if end is not None:
            last = _number(text, end, name, allowed, words)
        if (start == "*" and end is not None) or last < first or step in {"0", "00", "000"}:
            raise _error(text, f"{part[:40]!r} is no {name}")
        found.update(range(first, last + 1, int(step or 1)))
    return tuple(sorted(found))


def _number(text: str, written: str, name: str, allowed: range, words: Mapping[str, int]) -> int:
    number = words.get(written, int(written) if written.isdigit() else -1)
    if number not in allowed:
        raise _error(text, f"{written[:40]!r} is no {name}")
    return number


def _comes(calendar: Calendar) -> bool:
    return any(calendar.days[0] <= _LONGEST[month - 1] for month in calendar.months)


def _error(text: str, reason: str) -> CronError:
    return CronError(
        f"{text[:80]!r} is not a valid schedule: {reason}. Write minute, hour, day of the month, month, day of "
        "the week, like '0 6 * * 1-5' for six o'clock from Monday to Friday, or @hourly, @daily, "
        "@weekly, @monthly, @yearly"
    )
