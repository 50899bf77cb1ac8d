"""Ports for the servers that tests start."""

import os
import random
import socket
from contextlib import suppress

SERVED = range(10_000, 20_000)
"""Below the range that the kernel gives to outgoing connections: it may give any of that meanwhile."""

FEW = 100
"""With so few left that were not given yet, all are given again: each test of the API takes three."""

_given: set[int] = set()


def free_ports(count: int) -> list[int]:
    """Return ports that nothing listens on, and that no other test is given: its server may not listen yet."""
    ports = [port for port in own_ports() if port not in _given]
    if len(ports) < FEW:  # those of the first tests, which are over
        _given.clear()
        ports = [*own_ports()]
    found: list[int] = []
    for port in random.sample(ports, len(ports)):
        if is_free(port):
            found.append(port)
        if len(found) == count:
            break
    _given.update(found)
    return found


def free_row(count: int) -> int:
    """Return the first of so many free ports that follow each other."""
    own = own_ports()
    firsts = range(own.start, own.stop - count + 1)
    for first in random.sample(firsts, len(firsts)):
        row = range(first, first + count)
        if _given.isdisjoint(row) and all(map(is_free, row)):
            _given.update(row)
            return first
    raise AssertionError("no ports are free")


def own_ports() -> range:
    """Return the part of the ports that is this worker's of xdist."""
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    size = len(SERVED) // count
    return SERVED[number * size : (number + 1) * size]


def is_free(port: int) -> bool:
    with socket.socket() as probe, suppress(OSError):
        probe.bind(("127.0.0.1", port))
        return True
    return False
