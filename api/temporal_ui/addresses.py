"""Which addresses the Web UI has: those that its server and we read alike."""

import re
from urllib.parse import unquote_to_bytes

from api.core.problems import RefusedError

_PLAIN = re.compile(r"""([!"$&-~]|%[0-9a-f]{2})*""", re.ASCII | re.IGNORECASE)
"""Visible characters, and others encoded; browsers encode them."""

_HALF_ENCODED = re.compile(rb"%(?![0-9a-fA-F]{2})")
"""What its server cannot decode a second time."""

_ODD = re.compile(r"//|/\.{1,2}(/|\Z)|\\|\0")
"""What no path of the Web UI has."""


def check_encoding(path: str, query: bytes) -> None:
    """Refuse an address whose characters its server does not take.

    Raises:
        RefusedError: It has others than a URL has, or is no UTF-8 when it is decoded (400).
    """
    for what, text in (("address", path), ("query of the address", query.decode("latin-1"))):
        if not _PLAIN.fullmatch(text):
            detail = (
                f"the {what} has a character that must be encoded, like '#' as %23 or '%' as %25"
            )
            raise RefusedError(400, "bad_request", detail)
        try:
            unquote_to_bytes(text).decode()
        except UnicodeDecodeError as error:
            detail = f"the {what} is not UTF-8 when it is decoded"
            raise RefusedError(400, "bad_request", detail) from error


def check_second_encoding(path: str) -> None:
    """Refuse a path that cannot be decoded twice, as its server does for the name of a workflow.

    Raises:
        RefusedError: It has a `%` once it is decoded that encodes nothing (400).
    """
    if _HALF_ENCODED.search(unquote_to_bytes(path)):
        detail = "the address has a '%' that must be encoded twice, as %2525"
        raise RefusedError(400, "bad_request", detail)


def is_odd(path: str) -> bool:
    """Tell whether a path may lead elsewhere than it says.

    Its server decodes a path once for a file and twice for the name of a workflow.
    """
    once = unquote_to_bytes(path)
    try:
        readings = (path, once.decode(), unquote_to_bytes(once).decode())
    except UnicodeDecodeError:
        return True
    return any(_ODD.search(reading) for reading in readings)
