"""When a provider takes turns again, read from what its errors say in words or in fields.

The forms are those of Claude Code, Codex, Gemini, OpenCode and of the providers' own APIs: seconds
since 1970, ISO times, HTTP dates, spans ("in 5 days 22 hours", "39s", `retryDelay`), and times of the
day with or without a date and a zone ("resets 3pm (America/Bogota)").
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MAX_READ = 8_000
"""Characters that are looked at."""

LONGEST = timedelta(days=40)
"""A reset later than this is taken for misread; monthly quotas are the longest there are."""

JUST_NOW = timedelta(minutes=5)
"""A time of the day that is past by less is today's, and not tomorrow's."""

_WORDS = re.IGNORECASE | re.VERBOSE
_SPAN = r"\d{1,9}(?:\.\d{1,9})?\s{0,2}(?:milli\w{0,8}|ms|d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])"
_SPANS = rf"{_SPAN}(?:(?:,|\s|and){{0,6}}{_SPAN}){{0,5}}"
_AGAIN = r"\b(?:retry(?:ing)?|again|resets?|reset|available|renews?|wait|until)"
_PROSE = re.compile(
    rf"{_AGAIN}\W{{0,3}}(?:\w{{1,12}}\s){{0,3}}?(?:(?:in|after|for)\s)?(?:about\s|~)?({_SPANS})",
    re.IGNORECASE,
)
_FIELD = re.compile(
    rf"""(?:retry[-_ ]?(?:after|delay)|reset[-_ ]?(?:after|delay)|resets?[-_ ]?in|ratelimit-reset[\w-]{{0,12}})
    [-_]?(?P<unit>ms|milli\w{{0,8}}|seconds?|s)?["']?\s?[:=]\s?["']?
    (?:(?P<spans>{_SPANS})|(?P<number>\d{{1,9}}(?:\.\d{{1,9}})?)(?![\d:]))""",
    _WORDS,
)
_EPOCH = re.compile(
    r"""(?:\||(?:reset|retry|until)[\w"':=\s-]{0,16}?)(\d{10}|\d{13})(?!\d)""", re.IGNORECASE
)
_ISO = re.compile(
    r"""(?:reset|retry|again|until|available)\D{0,40}?
    (\d{4}-\d\d-\d\d[T\s]\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?""",
    _WORDS,
)
_HTTP = re.compile(
    r"retry-after\W{1,4}([a-z]{3}, \d\d [a-z]{3} \d{4} \d\d:\d\d:\d\d GMT)", re.IGNORECASE
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = "|".join(_MONTHS)
_CLOCK = re.compile(
    rf"""{_AGAIN}\W{{1,3}}(?:(?:at|on|after)\s)?
    (?:(?P<month>{_MONTH})[a-z]{{0,6}}\.?\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s(?P<year>\d{{4}}))?
       (?:,?\s(?:at\s)?|(?=\W|$)))?
    (?:(?P<hour>\d{{1,2}})(?::(?P<minute>\d\d))?(?::\d\d)?\s?(?:(?P<half>[ap])\.?m\b)?)?
    (?:\s?\(?(?P<zone>[a-z]{{2,20}}/[a-z_+\d/-]{{1,30}}|UTC|GMT)\b)?""",
    _WORDS,
)


def reset_time(message: str, now: datetime) -> datetime | None:
    """Return when a provider takes turns again, None where it does not say, or says the past.

    `now` carries the host's zone, in which agents tell times of the day that name none. A zone that
    this host does not know gives None.
    """
    # fields inside of fields come with their quotes and line ends escaped
    text = re.sub(r"\\+[\"']", '"', re.sub(r"\\+[nrt]", " ", message[:MAX_READ]))
    for read in _READERS:
        found = read(text, now)
        if found is not None and now < found <= now + LONGEST:
            return found
    return None


def _epoch(text: str, now: datetime) -> datetime | None:
    del now
    found = _EPOCH.search(text)
    if found is None:
        return None
    seconds = found[1][:10]  # thirteen digits are milliseconds
    return datetime.fromtimestamp(int(seconds), UTC)


def _iso(text: str, now: datetime) -> datetime | None:
    found = _ISO.search(text)
    if found is None:
        return None
    zone = (found[2] or "").upper().replace("UTC", "Z").replace("GMT", "Z")
    try:
        moment = datetime.fromisoformat(found[1] + zone)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def _http_date(text: str, now: datetime) -> datetime | None:
    del now
    found = _HTTP.search(text)
    try:
        return parsedate_to_datetime(found[1]) if found else None
    except ValueError:
        return None


def _field(text: str, now: datetime) -> datetime | None:
    found = _FIELD.search(text)
    if found is None:
        return None
    if found["spans"]:
        return now + _sum(found["spans"])
    is_milli = (found["unit"] or "").lower().startswith("m")
    return now + timedelta(seconds=float(found["number"]) / (1000 if is_milli else 1))


def _prose(text: str, now: datetime) -> datetime | None:
    found = _PROSE.search(text)
    return now + _sum(found[1]) if found else None


def _sum(spans: str) -> timedelta:
    total = timedelta()
    for span in re.finditer(r"([\d.]+)\s*([a-z]+)", spans, re.IGNORECASE):
        number, unit = float(span[1]), span[2].lower()
        if unit.startswith(("ms", "milli")):
            total += timedelta(milliseconds=number)
        else:
            size = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}[unit[0]]
            # one that is too long for a timedelta is misread anyhow
            total += min(timedelta(seconds=min(number * size, 1e9)), timedelta(days=9_999))
    return total


def _clock(text: str, now: datetime) -> datetime | None:
    for found in _CLOCK.finditer(text):
        has_time = found["hour"] and (found["half"] or found["minute"])
        if not found["month"] and not has_time:
            continue
        zone = _zone(found["zone"], now)
        try:
            return _moment(found, now.astimezone(zone)) if zone else None
        except ValueError:  # the 31st of a short month, 25 o'clock
            continue
    return None


def _zone(name: str | None, now: datetime) -> tzinfo | None:
    if name is None:
        return now.tzinfo
    if name.upper() in {"UTC", "GMT"}:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _moment(found: re.Match[str], now: datetime) -> datetime:
    """Return the next moment that has this time of the day, and the date where one is named."""
    hour, minute = 0, int(found["minute"] or 0)
    if found["hour"] and (found["half"] or found["minute"]):
        hour = int(found["hour"])
        if found["half"]:
            hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    moment = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    if not found["month"]:
        latest = moment if moment <= now else moment - timedelta(days=1)
        is_recent = now - latest < JUST_NOW
        # no seconds are told: it is the end of that minute, which may be past as well
        return latest + (timedelta(minutes=1) if is_recent else timedelta(days=1))
    month, day = _MONTHS.index(found["month"].lower()) + 1, int(found["day"])
    if found["year"]:
        return moment.replace(year=int(found["year"]), month=month, day=day)
    moment = moment.replace(month=month, day=day)
    is_past = moment < now - timedelta(days=LONGEST.days)
    return moment.replace(year=moment.year + 1) if is_past else moment


_READERS: tuple[Callable[[str, datetime], datetime | None], ...] = (
    _epoch,
    _iso,
    _http_date,
    _field,
    _prose,
    _clock,
)
