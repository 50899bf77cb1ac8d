"""Heads of requests to the proxy (RFC 9112): whom a client wants to reach, and who it says it is."""

import base64
import binascii
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from domain.core.hosts import host_of

MAX_HEAD_BYTES = 64 << 10
_LINE = re.compile(r"([A-Z]{1,20}) (\S{1,8000}) (HTTP/1\.[01])")
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+):(\d{1,5})")
_OWN = {"proxy-authorization", "proxy-connection", "connection", "keep-alive"}
_HTTP_PORT = 80
_LAST_PORT = 65_535


class BadHeadError(Exception):
    """It is no request that a proxy can serve; the text says why."""


@dataclass(frozen=True)
class Head:
    """A request's head. `forwarded` is what goes on to the host; empty for a tunnel (CONNECT)."""

    host: str
    port: int
    token: str
    forwarded: bytes


def read_head(data: bytes) -> Head:
    """Read a head.

    Raises:
        BadHeadError: It is none.
    """
    first, *lines = data.decode("latin-1").rstrip("\r\n").split("\r\n")
    line = _LINE.fullmatch(first)
    if line is None:
        raise BadHeadError("no request for a proxy")
    fields = [(name.strip().lower(), text) for name, _, text in (at.partition(":") for at in lines)]
    token = _token(dict(fields).get("proxy-authorization", ""))
    if line[1] == "CONNECT":
        host, port = _authority(line[2])
        return Head(host, port, token, b"")
    try:
        parts = urlsplit(line[2])
        port = parts.port or _HTTP_PORT
    except ValueError as error:
        raise BadHeadError(f"no address: {error}") from error
    host = host_of(parts.hostname or "")
    if parts.scheme != "http" or host is None:
        raise BadHeadError("give the whole address, http://HOST/PATH, or CONNECT HOST:PORT")
    path = line[2].split("://", 1)[1].partition("/")[2]
    kept = [text for text in lines if text.partition(":")[0].strip().lower() not in _OWN]
    head_lines = (f"{line[1]} /{path} {line[3]}", *kept, "Connection: close", "", "")
    return Head(host, port, token, "\r\n".join(head_lines).encode("latin-1"))


def _authority(text: str) -> tuple[str, int]:
    match = _AUTHORITY.fullmatch(text)
    host = host_of(match[1]) if match else None
    if match is None or host is None or not 1 <= int(match[2]) <= _LAST_PORT:
        raise BadHeadError("no HOST:PORT")
    return host, int(match[2])


def _token(text: str) -> str:
    """Return the password of basic authentication; empty where there is none."""
    scheme, _, encoded = text.strip().partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return base64.b64decode(encoded, validate=True).decode().partition(":")[2]
    except (binascii.Error, ValueError):
        return ""
