"""How HTTP reaches an address."""

import ssl
from typing import Any

from treadle_client.addresses import Address
from treadle_client.errors import AddressError

TIMEOUT_SECONDS = 40.0
"""Longer than the API takes to say that nobody answers."""


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
