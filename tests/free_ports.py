"""Ports for the servers that tests start."""

import random
import socket
from contextlib import suppress

SERVED = range(10_000, 20_000)
"""Below the range that the kernel gives to outgoing connections: it may give any of that meanwhile."""


def free_ports(count: int) -> list[int]:
    """Return ports that nothing listens on."""
    found: list[int] = []
    for port in random.sample(SERVED, len(SERVED)):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == count:
            break
    return found
