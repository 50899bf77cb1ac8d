"""Talking to a server elsewhere: only over TLS, or to an address of this machine."""

import ssl
from pathlib import Path
from typing import Any

import httpx

from address import Server
from cli.core.errors import CommandError
from cli.core.transport import HEADERS
from domain.hosts.joining import is_loopback


class NotSafeError(CommandError):
    """The address is none to send a token to; nothing was sent."""

    code = 2


def checked_url(text: str, secret: str) -> httpx.URL:
    """Return the address of a server: `https://`, or `http://` of this machine.

    Raises:
        NotSafeError: It is neither; `secret` says what others could read.
    """
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in {"https", "http"} or not url.host:
        raise NotSafeError(f"{text[:80]!r} is no address of a server, like https://treadle.example")
    if url.userinfo or url.query or url.fragment or url.path not in {"", "/"}:
        raise NotSafeError("give the server's address alone, like https://treadle.example")
    if url.scheme == "https" or is_loopback(url.host):
        return url
    raise NotSafeError(
        f"http://{url.host} is not encrypted, and {secret}: nothing was sent. Use https://, "
        "or a tunnel to this machine (`ssh -L 8420:127.0.0.1:8420 SERVER`) and http://127.0.0.1:8420"
    )


def trusted(ca: Path | None) -> ssl.SSLContext:
    """Return whose certificates are trusted: the system's authorities, or those of a file.

    Raises:
        CommandError: The file has no certificates.
    """
    try:
        return ssl.create_default_context(cafile=ca)
    except (OSError, ssl.SSLError) as error:
        raise CommandError(f"{ca} is no file of certificates: {error}") from error


def way_to(server: Server) -> dict[str, Any]:
    """Return how an HTTP client reaches a server.

    Raises:
        CommandError: Its address is not safe, or the file of certificates has none.
    """
    url = checked_url(server.url, "your token would be readable on the way")
    return {
        "base_url": url,
        "verify": trusted(Path(server.ca) if server.ca else None),
        # no proxy of the environment: for an address of this machine it would see the token
        "trust_env": url.scheme == "https",
        "timeout": 30,
        "headers": HEADERS,
    }


def why_not(url: httpx.URL | str, error: httpx.TransportError) -> str:
    """Return the sentence about a server that could not be asked."""
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return (
            f"the certificate of {httpx.URL(url).host} is not trusted, so nothing was sent ({error}). For a "
            "certificate of your own authority name its file with --ca"
        )
    return f"{url} does not answer: {error}"
