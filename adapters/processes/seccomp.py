"""The ways around Landlock's rules for ports, closed by a seccomp filter (seccomp(2)).

Landlock looks at TCP's own `connect` and `bind`. A socket of MPTCP or SMC, which falls back to TCP, is
not asked (Linux 6.14 and newer), nor is a `send` that connects (TCP fast open), and io_uring makes
sockets without a system call that a filter sees. Other families than the usual four reach what no rule
knows of: the host of a virtual machine (vsock). Programs take a refusal for an older kernel.
"""

import ctypes
import errno
import os
import platform
import socket
from dataclasses import dataclass
from typing import NoReturn

_LOAD, _JUMP_EQUAL, _JUMP_GREATER, _JUMP_ANY, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCHITECTURE, _ARGUMENTS, _ARGUMENT_BYTES = 0, 4, 16, 8
_MPTCP, _SMC, _FAST_OPEN = 262, 256, 0x20000000
_LOCAL, _INTERNET = (socket.AF_UNIX, socket.AF_NETLINK), (socket.AF_INET, socket.AF_INET6)
_TYPE_MASK = 0xF
_IO_URING_SETUP = 425
_OTHER_ABI = 0x40000000
_SET_SECCOMP, _FILTER_MODE = 22, 2
_SET_NO_NEW_PRIVILEGES = 38


@dataclass(frozen=True)
class _Machine:
    """A kind of processor: its audit number, and the numbers of system calls."""

    audit: int
    socket: int
    sendto: int
    sendmsg: int
    sendmmsg: int


_GENERIC = (198, 206, 211, 269)
_MACHINES = {
    "x86_64": _Machine(0xC000003E, 41, 44, 46, 307),
    "aarch64": _Machine(0xC00000B7, *_GENERIC),
    "riscv64": _Machine(0xC00000F3, *_GENERIC),
}

_libc = ctypes.CDLL(None, use_errno=True)


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("if_true", ctypes.c_ubyte),
        ("if_false", ctypes.c_ubyte),
        ("k", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.POINTER(_Instruction)))


def has_filter() -> bool:
    """Tell whether there is a filter for this kind of processor."""
    return platform.machine() in _MACHINES


def close_detours(*, has_udp: bool) -> None:
    """Install the filter for the calling OS thread and all it starts, which gain no privileges more.

    Without UDP a socket that leaves this process's own kinds is one of TCP.

    Raises:
        OSError: The kernel refused.
    """
    install_filter(_instructions(_MACHINES[platform.machine()], has_udp=has_udp))


def install_filter(instructions: list[tuple[int, int, int, int]]) -> None:
    """Install a filter for the calling OS thread and all it starts, which gain no privileges more.

    Raises:
        OSError: The kernel refused.
    """
    if _libc.prctl(_SET_NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0))):
        _fail()
    array = (_Instruction * len(instructions))(*(_Instruction(*i) for i in instructions))
    program = _Program(len(instructions), array)
    if _libc.prctl(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0):
        _fail()


def _fail() -> NoReturn:
    number = ctypes.get_errno()
    raise OSError(number, f"seccomp: {os.strerror(number)}")


def _instructions(machine: _Machine, *, has_udp: bool) -> list[tuple[int, int, int, int]]:
    """Return the filter: of jumps the two numbers say how many instructions are passed over."""
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, machine.audit),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        *_refused((_JUMP_GREATER, _OTHER_ABI), errno.ENOSYS),
        *_refused((_JUMP_EQUAL, _IO_URING_SETUP), errno.ENOSYS),
        *_only_families(machine.socket, (*_LOCAL, *_INTERNET)),
        *([] if has_udp else _only_streams(machine.socket)),
        *_refused_with(machine.socket, 2, (_JUMP_EQUAL, _MPTCP), errno.EPROTONOSUPPORT),
        *_refused_with(machine.socket, 2, (_JUMP_EQUAL, _SMC), errno.EPROTONOSUPPORT),
        *_refused_with(machine.sendto, 3, (_JUMP_ANY, _FAST_OPEN), errno.EOPNOTSUPP),
        *_refused_with(machine.sendmsg, 2, (_JUMP_ANY, _FAST_OPEN), errno.EOPNOTSUPP),
        *_refused_with(machine.sendmmsg, 3, (_JUMP_ANY, _FAST_OPEN), errno.EOPNOTSUPP),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _refused(test: tuple[int, int], error: int) -> list[tuple[int, int, int, int]]:
    code, value = test
    return [(code, 0, 1, value), (_RETURN, 0, 0, _ERRNO | error)]


def _refused_with(
    call: int, argument: int, test: tuple[int, int], error: int
) -> list[tuple[int, int, int, int]]:
    """Refuse a call whose argument passes a test; the number of the call is loaded again behind it."""
    return [
        (_JUMP_EQUAL, 0, 4, call),
        (_LOAD, 0, 0, _ARGUMENTS + _ARGUMENT_BYTES * argument),
        *_refused(test, error),
        (_LOAD, 0, 0, _NUMBER),
    ]


def _only_families(call: int, families: tuple[int, ...]) -> list[tuple[int, int, int, int]]:
    """Refuse sockets of other families."""
    known = [(_JUMP_EQUAL, len(families) - i, 0, family) for i, family in enumerate(families)]
    return [
        (_JUMP_EQUAL, 0, len(known) + 3, call),
        (_LOAD, 0, 0, _ARGUMENTS),
        *known,
        (_RETURN, 0, 0, _ERRNO | errno.EAFNOSUPPORT),
        (_LOAD, 0, 0, _NUMBER),
    ]


def _only_streams(call: int) -> list[tuple[int, int, int, int]]:
    """Refuse sockets that leave this host, or could, and are no streams."""
    return [
        (_JUMP_EQUAL, 0, 8, call),
        (_LOAD, 0, 0, _ARGUMENTS),
        (_JUMP_EQUAL, 5, 0, _LOCAL[0]),
        (_JUMP_EQUAL, 4, 0, _LOCAL[1]),
        (_LOAD, 0, 0, _ARGUMENTS + _ARGUMENT_BYTES),
        (_AND, 0, 0, _TYPE_MASK),
        (_JUMP_EQUAL, 1, 0, socket.SOCK_STREAM),
        (_RETURN, 0, 0, _ERRNO | errno.EACCES),
        (_LOAD, 0, 0, _NUMBER),
    ]
