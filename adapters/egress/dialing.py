"""Connecting to hosts: names are resolved here, once, and the address that was looked at is the one used."""

import asyncio
import base64
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import psutil

from domain.core.hosts import Address, address_of, host_of, is_among, is_local, is_public

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]
Connect = Callable[[Address, int], Awaitable[Connection]]

PROXY_ENVIRONMENT = (
    *("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"),
)
"""What names the user's own proxy."""

DIAL_SECONDS = 20.0
_LIMIT_BYTES = 64 << 10
_OK = b" 200"


class UnreachableError(Exception):
    """A host cannot be reached; the text says why."""


class PrivateAddressError(Exception):
    """A host's addresses are all of private networks, or this machine's own."""


@dataclass(frozen=True)
class Upstream:
    """The user's own proxy, which this one goes through; `direct` hosts are reached without it."""

    host: str
    port: int
    credentials: str = ""
    direct: tuple[str, ...] = ()


def upstream_of(environment: dict[str, str]) -> Upstream | None:
    """Return the user's proxy for HTTPS, as variables name it; None where there is none."""
    small = {name.lower(): value for name, value in environment.items() if value}
    url = small.get("https_proxy") or small.get("all_proxy") or ""
    try:
        parts = urlsplit(url)
        host, port = host_of(parts.hostname or ""), parts.port or 80
    except ValueError:
        return None
    if parts.scheme != "http" or host is None:
        return None
    user = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    spoken = (part.strip().lower() for part in small.get("no_proxy", "").split(","))
    direct = tuple(
        w for part in spoken if part for w in (part.lstrip("*."), f"*.{part.lstrip('*.')}")
    )
    return Upstream(host, port, user if parts.username else "", direct)


@dataclass(frozen=True)
class Dialing:
    """How hosts are found and connected to; tests put their own in place."""

    upstream: Upstream | None = None
    resolve: Resolve | None = None
    connect: Connect | None = None

    async def dial(self, host: str, port: int, *, may_be_private: bool) -> Connection:
        """Connect to a host.

        Raises:
            UnreachableError: It cannot be found or reached.
            PrivateAddressError: It has no address that may be used.
        """
        is_literal = address_of(host) is not None or is_local(host)
        if self.upstream and not is_literal and not is_among(host, self.upstream.direct):
            return await self._through(self.upstream, host, port)
        found = await self._addresses(host, port)
        usable = [one for one in found if may_be_private or is_public(one)]
        own = frozenset[Address]() if may_be_private or not usable else own_addresses()
        usable = [one for one in usable if one not in own]
        if not usable:
            raise PrivateAddressError
        return await self._first(usable, port)

    async def _addresses(self, host: str, port: int) -> Sequence[Address]:
        literal = address_of(host)
        if literal is not None:
            return [literal]
        try:
            async with asyncio.timeout(DIAL_SECONDS):
                return await (self.resolve or _resolved)(host, port)
        except (OSError, UnicodeError, TimeoutError) as error:
            raise UnreachableError(f"its name is not found ({error})") from error

    async def _first(self, addresses: Sequence[Address], port: int) -> Connection:
        failure: Exception | None = None
        for address in addresses:
            try:
                async with asyncio.timeout(DIAL_SECONDS):
                    return await (self.connect or _connected)(address, port)
            except (OSError, TimeoutError) as error:
                failure = error
        raise UnreachableError(f"it does not answer ({failure})") from failure

    async def _through(self, proxy: Upstream, host: str, port: int) -> Connection:
        """Connect through the user's own proxy, which resolves the name."""
        lines = [f"CONNECT {host}:{port} HTTP/1.1", f"Host: {host}:{port}"]
        if proxy.credentials:
            credentials = base64.b64encode(proxy.credentials.encode()).decode()
            lines.append(f"Proxy-Authorization: Basic {credentials}")
        try:
            async with asyncio.timeout(DIAL_SECONDS):
                reader, writer = await asyncio.open_connection(
                    proxy.host, proxy.port, limit=_LIMIT_BYTES
                )
                writer.write("\r\n".join((*lines, "", "")).encode())
                head = await reader.readuntil(b"\r\n\r\n")
        except (OSError, TimeoutError, EOFError, asyncio.LimitOverrunError) as error:
            raise UnreachableError(f"the proxy {proxy.host} does not answer ({error})") from error
        line = head.splitlines()[0]
        if _OK not in line[:13]:
            writer.close()
            raise UnreachableError(f"the proxy {proxy.host} says {line[:200].decode('latin-1')!r}")
        return reader, writer


def own_addresses() -> frozenset[Address]:
    """Return this machine's own addresses."""
    addresses = (one.address for each in psutil.net_if_addrs().values() for one in each)
    found = (address_of(text.partition("%")[0]) for text in addresses)
    return frozenset(address for address in found if address is not None)


async def _resolved(host: str, port: int) -> Sequence[Address]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = (address_of(str(one[4][0]).partition("%")[0]) for one in found)
    return [*dict.fromkeys(address for address in addresses if address is not None)]


async def _connected(address: Address, port: int) -> Connection:
    return await asyncio.open_connection(str(address), port, limit=_LIMIT_BYTES)
