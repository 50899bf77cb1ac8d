"""Landlock: which TCP ports an OS thread, and every process it starts, may bind and connect to.

The kernel's own interface (landlock(7)), as the one package on PyPI knows files only. A rule set
can't be taken back, and is of the thread that takes it: so a thread that starts one process and then
only waits for it needs no program between. Files are bubblewrap's; UDP knows no rules in Landlock, and
is open or closed as a whole, by the filter that closes the ways around.
"""

import ctypes
import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from adapters.processes.seccomp import close_detours, has_filter

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_GET_VERSION = 1
_BIND, _CONNECT = 1, 2
_PORT_RULE = 2
_SCOPE_ABSTRACT_SOCKETS = 1
_SET_NO_NEW_PRIVILEGES = 38
_NETWORK_VERSION, _SCOPE_VERSION = 4, 6

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class PortRules:
    """Ports to bind and connect to, and ports to connect to only; others are refused.

    Port 0, a number of the kernel's choice, can always be bound: who listens without a bind has one.
    """

    own: tuple[int, ...] = ()
    connect: tuple[int, ...] = ()
    binds_any: bool = False
    has_udp: bool = True

    @property
    def handled(self) -> int:
        """What is refused where no rule allows it."""
        return _CONNECT if self.binds_any else _BIND | _CONNECT


def has_port_rules() -> bool:
    """Tell whether this kernel has them: 6.7 or newer, with Landlock on."""
    return _version() >= _NETWORK_VERSION and has_filter()


def restrict_thread(rules: PortRules) -> None:
    """Confine the calling OS thread, and all it starts, for good; the process's others stay free.

    Raises:
        OSError: The kernel refused.
    """
    version = _version()
    scope = _SCOPE_ABSTRACT_SOCKETS if version >= _SCOPE_VERSION else 0
    handled = struct.pack("QQQ", 0, rules.handled, scope)
    size = len(handled) if version >= _SCOPE_VERSION else len(handled) - 8
    ruleset = _call(_CREATE, handled, ctypes.c_size_t(size), 0)
    try:
        _allow(ruleset, rules.handled, rules.own)
        _allow(ruleset, _CONNECT, rules.connect)
        _allow(ruleset, rules.handled & _BIND, (0,))
        if _libc.prctl(_SET_NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0))):
            _fail()
        _call(_RESTRICT, ruleset, 0)
        close_detours(has_udp=rules.has_udp)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, access: int, ports: Iterable[int]) -> None:
    for port in ports if access else ():
        _call(_ADD, ruleset, _PORT_RULE, struct.pack("QQ", access, port), 0)


def _version() -> int:
    return max(0, _libc.syscall(_CREATE, None, ctypes.c_size_t(0), _GET_VERSION))


def _call(number: int, *arguments: int | bytes | ctypes.c_size_t) -> int:
    result = _libc.syscall(number, *arguments)
    if result < 0:
        _fail()
    return result


def _fail() -> None:
    number = ctypes.get_errno()
    raise OSError(number, f"Landlock: {os.strerror(number)}")
