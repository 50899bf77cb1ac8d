"""Sizes as people write them: `500M`, `200G`, `1.5T`."""

import re

from domain.core.errors import InvalidError

_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s?([MGT])(iB|B)?", re.ASCII)
_POWERS = {"M": 2, "G": 3, "T": 4}


def parse_size(text: str) -> int:
    """Return how many bytes a size is.

    >>> parse_size("1.5G")
    1500000000

    Raises:
        InvalidError: It is none, or it is zero.
    """
    found = _SIZE.fullmatch(text.strip())
    number = float(found[1]) if found else 0.0
    if found is None or not number:
        raise InvalidError(
            f"{text!r} is not a size: write megabytes, gigabytes or terabytes, like 500M, 200G or 1.5T"
        )
    step = 1024 if found[3] == "iB" else 1000
    return round(number * step ** _POWERS[found[2]])


def checked_size(text: str) -> str:
    """Return a size as it is written.

    Raises:
        ValueError: It is none.
    """
    try:
        parse_size(text)
    except InvalidError as error:
        raise ValueError(error.message) from error
    return text.strip()
