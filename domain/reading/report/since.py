"""When a report begins, as people write it."""

import re
from datetime import UTC, datetime, timedelta

from domain.core.errors import InvalidError

MAX_SINCE = 40
_AGO = re.compile(r"([1-9]\d{0,5})\s*(h|d|w)", re.IGNORECASE)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_FORMS = "give a number of hours, days or weeks (12h, 7d, 2w), or a date (2026-11-01, UTC)"


class BadSinceError(InvalidError):
    """The start of a report is invalid or in the future."""

    type = "bad_since"


def read_since(text: str, now: datetime) -> datetime:
    """Return the time from which to report; a date or time without a zone is in UTC.

    Raises:
        BadSinceError: It is none, or later than `now`.
    """
    since = _read(text.strip(), now)
    if since > now:
        raise BadSinceError(
            f"{text.strip()!r} is in the future: it is {now.astimezone(UTC):%Y-%m-%d %H:%M} UTC now; {_FORMS}"
        )
    return since


def _read(text: str, now: datetime) -> datetime:
    try:
        if ago := _AGO.fullmatch(text):
            return (now - int(ago[1]) * _UNITS[ago[2].lower()]).astimezone(UTC)
        read = datetime.fromisoformat(text)
        return read.replace(tzinfo=read.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadSinceError(f"{text[:MAX_SINCE]!r} is no time to report from: {_FORMS}") from error
