"""Times as people type them: `1h`, `evening`, `tomorrow 14:00`, `monday`, or a date."""

import re
from datetime import date, datetime, time, timedelta

from domain.core.errors import InvalidError
from domain.reading.inbox.snoozes import LONGEST

MORNING = time(9)
EVENING = time(18)
EXAMPLES = "`30m`, `2h`, `3d`, `evening`, `tomorrow`, `monday`, `14:30`, `tomorrow 14:30` or `2030-05-17 14:30`"

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SPAN = re.compile(r"(\d{1,5})\s*([mhd])", re.ASCII)
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


def read_until(text: str, now: datetime) -> datetime:
    """Return the time that is meant, in the time zone of `now`; always later than that.

    A day without a time is its morning at nine, `evening` six o'clock, or in an hour if that is over.

    Raises:
        InvalidError: It is no time, or one that is over.
    """
    words = text.strip().lower()
    if span := _SPAN.fullmatch(words):
        found = now + int(span[1]) * _UNITS[span[2]]
    else:
        found = _evening(now) if words == "evening" else _moment(words, text, now)
    if found <= now:
        raise InvalidError(f"{text.strip()[:40]!r} is over: give a later time, like {EXAMPLES}")
    if found > now + LONGEST:
        raise InvalidError(
            f"{text.strip()[:40]!r} is too late: give a time within a year, like {EXAMPLES}"
        )
    return found


def _evening(now: datetime) -> datetime:
    evening = datetime.combine(now.date(), EVENING, now.tzinfo)
    return evening if evening > now else now + timedelta(hours=1)


def _moment(words: str, text: str, now: datetime) -> datetime:
    try:
        exact = datetime.fromisoformat(text.strip())
    except ValueError:
        return _named(words, text, now)
    if ":" not in text:
        exact = datetime.combine(exact.date(), MORNING)
    return exact if exact.tzinfo else exact.replace(tzinfo=now.tzinfo)


def _named(words: str, text: str, now: datetime) -> datetime:
    first, _, rest = words.partition(" ")
    day = _day(first, now.date())
    clock = rest if day else words
    try:
        at = time.fromisoformat(clock) if clock or not day else MORNING
    except ValueError:
        raise InvalidError(f"{text.strip()[:40]!r} is no time: write {EXAMPLES}") from None
    found = datetime.combine(day or now.date(), at, now.tzinfo)
    return found if day or found > now else found + timedelta(days=1)


def _day(word: str, today: date) -> date | None:
    if word == "tomorrow":
        return today + timedelta(days=1)
    if word in _DAYS:
        return today + timedelta(days=(_DAYS.index(word) - today.weekday() - 1) % 7 + 1)
    return None
