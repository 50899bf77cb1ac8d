"""Hours in which nothing is sent, and the time of day of a digest, both in a time zone."""

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)


def checked_zone(name: str) -> str:
    """Return the name of a time zone that this machine knows; empty is UTC.

    Raises:
        ValueError: It knows none of this name.
    """
    try:
        ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(
            f"there is no time zone {name!r}; write one like `Europe/Berlin`"
        ) from error
    return name


def checked_clock(text: str) -> str:
    """Return a time of day as it was written, `08:30`; empty is none.

    Raises:
        ValueError: It is no time of day.
    """
    if text and _CLOCK.fullmatch(text) is None:
        raise ValueError(f"{text!r} is no time of day; write one like `08:30`")
    return text


def checked_quiet(text: str) -> str:
    """Return quiet hours as they were written, `22:00-07:00`; empty is none.

    Raises:
        ValueError: They are not two different times of day.
    """
    first, _, last = text.partition("-")
    is_right = first != last and all(_CLOCK.fullmatch(each) for each in (first, last))
    if text and not is_right:
        raise ValueError(f"{text!r} are no quiet hours; write them like `22:00-07:00`")
    return text


def quiet_until(quiet: str, zone: str, now: datetime) -> datetime | None:
    """Return when the quiet hours end that it is now in; None outside of them.

    They go over midnight where they end earlier than they begin.
    """
    if not quiet:
        return None
    begins, ends = (_time(text) for text in quiet.split("-"))
    here = now.astimezone(ZoneInfo(zone or "UTC"))
    at = here.time()
    is_quiet = begins <= at < ends if begins < ends else at >= begins or at < ends
    if not is_quiet:
        return None
    day = here.date() if at < ends else here.date() + timedelta(days=1)
    return max(datetime.combine(day, ends, here.tzinfo).astimezone(UTC), now)


def day_of_digest(at: str, zone: str, now: datetime) -> str:
    """Return the day whose digest is the newest that is due, as `2030-05-17`."""
    here = now.astimezone(ZoneInfo(zone or "UTC"))
    is_due = here.time() >= _time(at)
    return str(here.date() if is_due else here.date() - timedelta(days=1))


def _time(text: str) -> time:
    hour, minute = text.split(":")
    return time(int(hour), int(minute))
