"""Ages as people write them: `12h`, `90d`, `8w`."""

import re
from datetime import timedelta

from domain.core.errors import InvalidError

_AGE = re.compile(r"([1-9]\d{0,4})([hdw])", re.ASCII)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def parse_age(text: str) -> timedelta:
    """Return how long an age is.

    Raises:
        InvalidError: It is none.
    """
    found = _AGE.fullmatch(text.strip())
    if found is None:
        raise InvalidError(
            f"{text!r} is not an age: write hours, days or weeks, like 12h, 90d or 8w"
        )
    return int(found[1]) * _UNITS[found[2]]


def checked_age(text: str) -> str:
    """Return an age as it is written.

    Raises:
        ValueError: It is none.
    """
    try:
        parse_age(text)
    except InvalidError as error:
        raise ValueError(error.message) from error
    return text.strip()
