"""Sandboxes: what agents and verification steps may write and reach, by role and by the user's word.

A level is chosen by the role of who runs, and turned off by the user's own settings only: nothing
that a plan, a template, a repository or an agent says makes one weaker. A step may narrow its network.
"""

import re
from collections.abc import Collection, Iterable
from enum import StrEnum
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from domain.agents.agents import READERS, SessionRole
from domain.core.hosts import HTTPS_PORT, KNOWN_HOSTS, HostRules, address_of, host_of, is_local
from domain.core.network import Network
from domain.core.wire import Wire

_RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")
_ADDRESS = re.compile(r"([A-Za-z0-9.-]+):(\d{1,5})")
_URL = re.compile(r"https?://[^\s\"'`<>,\\]+")
_SCHEME_PORTS = {"http": 80, "https": HTTPS_PORT}
_LAST_PORT = 65_535
_TOLD = 6


class Level(StrEnum):
    """What may be written: all, nothing but the agent's own folders, or the workspace as well."""

    OFF = "off"
    READ_ONLY = "read-only"
    WORKSPACE_WRITE = "workspace-write"


class Sandbox(Wire):
    """How one process is confined; `ports` it may bind and connect to, `connect` only the latter.

    One that `binds_any` may listen on every port: an agent that serves itself. `has_udp` is of `ports`:
    names are asked for by UDP, and no rule says to whom. One with `hosts` reaches those through Treadle's
    proxy, which asks for names itself.
    """

    level: Level = Level.OFF
    network: Network = Network.HOST
    ports: tuple[int, ...] = ()
    connect: tuple[int, ...] = ()
    binds_any: bool = False
    has_udp: bool = True
    hosts: HostRules | None = None

    @property
    def summary(self) -> str:
        """One line for people: the level, and what of the network is left."""
        if self.level is Level.OFF:
            return "off: it writes and reaches what you can"
        if self.network is not Network.PORTS:
            return f"{self.level}, network: {self.network}"
        own = f", own ports {_port_words(self.ports)}" if self.ports else ""
        udp = "UDP open" if self.has_udp else "no UDP"
        https = "" if self.hosts is None else ", HTTPS by the list of hosts"
        tcp = f"TCP to ports {_port_words(self.connect) or 'none'}"
        return f"{self.level}, network: {tcp}{own}{https}, {udp}"


class SandboxRules(Wire):
    """The user's settings, and what is never reached.

    `level` is `off` or `workspace-write`; `off_for` are repositories that run without. `connect` are
    more ports that everybody may connect to, `forbidden` those that nobody may: Treadle's own. `hosts`
    are more that everybody may reach through the proxy; where `is_direct` there is none, and port 443 and
    UDP are open.
    """

    level: Level = Level.WORKSPACE_WRITE
    network: Network = Network.PORTS
    connect: tuple[int, ...] = ()
    forbidden: frozenset[int] = frozenset()
    off_for: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    is_direct: bool = False

    def of(
        self,
        role: SessionRole | None,
        repository: Path | None,
        ports: Collection[int] = (),
        connect: Collection[int] = (),
        *,
        hosts: HostRules = HostRules(),  # noqa: B008 - frozen
        is_direct: bool = False,
    ) -> Sandbox:
        """Return the sandbox of a session, or where there is no role of a verification step.

        `connect` are ports that this one needs beside: Treadle's tools, a model of one's own; `hosts`
        those that it reaches beside the known ones. One that `is_direct` cannot use the proxy.
        """
        if self.level is Level.OFF or (repository and str(repository) in self.off_for):
            return Sandbox()
        level = Level.READ_ONLY if role in READERS else Level.WORKSPACE_WRITE
        if self.network is Network.HOST:
            return Sandbox(level=level, network=Network.HOST)
        if self.network is Network.NONE and role is None:
            return Sandbox(level=level, network=Network.NONE)
        # an agent without Treadle's tools could not even say that it is done
        is_closed = self.network is Network.NONE
        is_direct = not is_closed and (self.is_direct or is_direct)
        common = () if is_closed else (*self.connect, *((HTTPS_PORT,) if is_direct else ()))
        reached = {*common, *connect} - self.forbidden
        own = set(ports) - self.forbidden
        return Sandbox(
            level=level,
            network=Network.PORTS,
            ports=tuple(sorted(own)),
            connect=tuple(sorted(reached - own)),
            has_udp=is_direct,
            hosts=None if is_closed or is_direct else self._hosts(hosts),
        )

    @property
    def now(self) -> "SandboxRules":
        """The rules themselves: those that nobody changes."""
        return self

    def _hosts(self, more: HostRules) -> HostRules:
        return HostRules(
            listed=(*KNOWN_HOSTS, *more.listed, *self.hosts),
            named=(*more.named, *self.hosts),
        )


class RulesNow(Protocol):
    """The user's rules, which may change while a worker runs."""

    @property
    def now(self) -> SandboxRules:
        """What counts for a sandbox that is made now."""
        ...


def narrowed(sandbox: Sandbox, network: Network | None) -> Sandbox:
    """Return a step's sandbox with the network that it asks for, where that is the narrower one."""
    order = list(Network)
    if (
        network is None
        or sandbox.level is Level.OFF
        or order.index(network) <= order.index(sandbox.network)
    ):
        return sandbox
    return Sandbox(level=sandbox.level, network=network)


def port_list(text: str) -> tuple[int, ...]:
    """Return the ports of a list like `80, 8000-8010`.

    Raises:
        ValueError: It is none; the message says which part is wrong.
    """
    ports: set[int] = set()
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        match = _RANGE.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= _LAST_PORT:
            raise ValueError(f"{part!r} is no port (1 to 65535) and no range like 8000-8010")
        ports.update(range(first, last + 1))
    return tuple(sorted(ports))


def checked_ports(text: str) -> str:
    """Return a list of ports as it is written.

    Raises:
        ValueError: It is none.
    """
    port_list(text)
    return text


def ports_of_urls(texts: Iterable[str]) -> frozenset[int]:
    """Return the ports of URLs in texts, and of a text that is an address as in `localhost:11434`.

    An agent must reach the model that it is told to use. HTTPS's own port is one only on this machine:
    other hosts are reached by their names.
    """
    found: set[int] = set()
    for text in texts:
        if address := _ADDRESS.fullmatch(text):
            found |= _as_port(address[1], int(address[2]))
        for match in _URL.finditer(text):
            try:
                parts = urlsplit(match[0])
                port = parts.port or _SCHEME_PORTS[parts.scheme]
                found |= _as_port(parts.hostname or "", port)
            except ValueError:
                continue  # not a port: the agent will say so
    return frozenset(port for port in found if 1 <= port <= _LAST_PORT)


def _as_port(host: str, port: int) -> set[int]:
    name = host_of(host) or ""
    address = address_of(name)
    is_here = is_local(name) or (address is not None and address.is_loopback)
    return {port} if port != HTTPS_PORT or is_here else set()


def _port_words(ports: tuple[int, ...]) -> str:
    """Tell ports with neighbours joined, a bounded number of them."""
    runs: list[tuple[int, int]] = []
    for port in ports:
        if runs and port == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], port)
        else:
            runs.append((port, port))
    words = [str(a) if a == b else f"{a}-{b}" for a, b in runs[:_TOLD]]
    return ", ".join(words + ["..."] * (len(runs) > _TOLD))
