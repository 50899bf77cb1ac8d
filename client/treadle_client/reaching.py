"""How HTTP reaches an address."""

import os
import ssl
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from treadle_client.addresses import Address
from treadle_client.errors import AddressError

TIMEOUT_SECONDS = 40.0
"""Longer than the API takes to say that nobody answers."""

H = TypeVar("H")


class OfProcess(Generic[H]):
    """An HTTP client of this process: two that send by the same connection get each other's answers.

    A process that was forked makes its own, and leaves the other's connections as they are.
    """

    def __init__(self, make: Callable[[], H]) -> None:
        self._make = make
        self._made = make()
        self._process = os.getpid()
        self._others: list[H] = []
        """Kept, as what is collected may close itself."""

    def get(self) -> H:
        """Return the HTTP client."""
        if self._process != os.getpid():
            self._others.append(self._made)
            self._made, self._process = self._make(), os.getpid()
        return self._made


def client_options(address: Address) -> dict[str, Any]:
    """Return the options of an HTTP client, sync or async.

    Raises:
        AddressError: The file of certificates has none.
    """
    is_secure = address.url.startswith("https:")
    return {
        "base_url": address.url,
        "headers": {"X-Treadle": "1", "User-Agent": "treadle-client"},
        "timeout": TIMEOUT_SECONDS,
        "trust_env": is_secure,  # for an address of this machine a proxy would see the token
        "verify": _trusted(address.ca) if is_secure else False,
    }


def _trusted(ca: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca or None)
    except (OSError, ssl.SSLError) as error:
        raise AddressError(f"{ca} is no file of certificates: {error}") from error
