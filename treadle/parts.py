"""The three processes of an engine and how each shows that it answers."""

import socket
import struct
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
import psutil

from adapters.part_readiness import answers_http, notes_polls, speaks_http2
from cli.core.transport import listeners
from domain.core.ids import SHARED_QUEUE
from settings import Settings
from treadle.engine import (
    LAUNCH,
    EngineError,
    own_temporal,
    temporal_address,
    temporal_binary,
    temporal_command,
)
from treadle.supervisor import Part

PATIENCE_SECONDS = {"temporal": 10.0, "worker": 20.0, "api": 5.0}


def temporal_part(settings: Settings) -> Part:
    """Return the embedded Temporal server.

    Raises:
        EngineError: The program is not installed.
    """
    binary = temporal_binary()
    if binary is None:
        raise EngineError("the `temporal` program is missing: install Treadle's requirements again")

    async def is_ready(_: int) -> bool:
        return await temporal_answers(settings)

    return Part(
        name="temporal",
        command=temporal_command(settings, binary),
        where=temporal_address(settings),
        is_ready=is_ready,
        patience=PATIENCE_SECONDS["temporal"],
    )


def worker_part(settings: Settings) -> Part:
    """Return the worker; it answers when Temporal sees it poll."""

    async def is_ready(pid: int) -> bool:
        return notes_polls(settings.data_dir, pid)

    return Part(
        name="worker",
        command=(*LAUNCH, "worker", "--at-once"),
        where=f"queue {SHARED_QUEUE!r}",
        is_ready=is_ready,
        has_needs=partial(temporal_answers, settings),
        patience=PATIENCE_SECONDS["worker"],
        has_spare=True,  # its imports take longer than all else of a recovery
        umask=-1,  # agents and commands make files for other programs as their user wants them
    )


def api_part(settings: Settings) -> Part:
    """Return the API."""

    async def is_ready(_: int) -> bool:
        return await answers_http(settings.api_port, "/v1/health")

    return Part(
        name="api",
        command=(*LAUNCH, "api"),
        where=settings.api_url,
        is_ready=is_ready,
        has_needs=partial(temporal_answers, settings),
        patience=PATIENCE_SECONDS["api"],
    )


def plain_http() -> httpx.AsyncClient:
    """Return a client for loopback: no proxies, and no certificates, which take 80 ms to load."""
    return httpx.AsyncClient(timeout=2, trust_env=False, verify=False)  # noqa: S501  (no TLS here)


async def temporal_answers(settings: Settings) -> bool:
    """Tell whether the engine's Temporal answers; one that is not ours, as the SDK finds it."""
    if own_temporal():
        return await speaks_http2(settings.temporal_port)
    from treadle.cluster import connected

    return await connected(settings) is not None


def wanted_ports(settings: Settings) -> dict[int, str]:
    """Return the variable that chooses each port that an engine needs."""
    ports = {settings.api_port: "TREADLE_API_PORT"}
    if own_temporal():
        ports[settings.temporal_port] = "TREADLE_TEMPORAL_PORT"
        if settings.is_temporal_ui_on:
            ports[settings.temporal_ui_port] = "TREADLE_TEMPORAL_UI_PORT"
    if settings.webhooks.is_on:
        ports[settings.webhooks.address[1]] = "TREADLE_WEBHOOKS_LISTEN"
    return ports | dict.fromkeys(settings.metrics_ports or (), "TREADLE_METRICS_PORT")


class Holder(NamedTuple):
    """Who listens on a port; other users' processes are known by their user only."""

    pid: int | None
    words: str


def answering(path: Path) -> int | None:
    """Return the process that answers at a socket in the file system; None where nobody does."""
    with socket.socket(socket.AF_UNIX) as asking:
        try:
            asking.connect(str(path))
        except OSError:
            return None
        return struct.unpack("3i", asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]


def port_holder(port: int) -> Holder | None:
    """Find who listens on a port, as well as this user may see; None when it is free."""
    for connection in psutil.net_connections("tcp"):
        if connection.status == psutil.CONN_LISTEN and connection.laddr[1:2] == (port,):
            if connection.pid is None:
                uids = ", ".join(str(uid) for uid in sorted(listeners(port))) or "unknown"
                return Holder(None, f"a process of another user (uid {uids})")
            try:
                process = psutil.Process(connection.pid)
                words = f"{' '.join(process.cmdline())[:100]}; user {process.username()}"
            except psutil.Error:
                words = "an unknown command"
            return Holder(connection.pid, f"pid {connection.pid} ({words})")
    return None
