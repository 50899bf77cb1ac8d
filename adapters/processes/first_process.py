"""The first process of a namespace, kept from being traced (seccomp(2)).

All that lies in a PID namespace ends with its first process. One that is traced with PTRACE_O_TRACEEXIT
stops at its own end until its tracer lets it go, and nothing of the namespace ends before. So nobody
below may trace pid 1 of its namespace; all else may be traced, as debuggers and sanitizers do.
"""

import errno
import platform
from itertools import chain

from adapters.processes.seccomp import install_filter

_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _PID_ARGUMENT = 0, 4, 24
_X32 = 0x40000000
_FIRST = 1

_CALLS = {
    "x86_64": ((0xC000003E, (101, _X32 | 521)), (0x40000003, (26,))),
    "aarch64": ((0xC00000B7, (117,)), (0x40000028, (26,))),
    "riscv64": ((0xC00000F3, (117,)),),
}
"""By processor: each audit number with its numbers of `ptrace`."""


def spare_first_process() -> None:
    """Refuse tracing pid 1 to the calling OS thread and all it starts; they gain no privileges more.

    Nothing is done on a kind of processor that has no filter here.

    Raises:
        OSError: The kernel refused.
    """
    abis = _CALLS.get(platform.machine())
    if abis is not None:
        install_filter(
            [
                (_LOAD, 0, 0, _ARCHITECTURE),
                *chain.from_iterable(_refusal(*abi) for abi in abis),
                (_RETURN, 0, 0, _ALLOW),
            ]
        )


def _refusal(audit: int, calls: tuple[int, ...]) -> list[tuple[int, int, int, int]]:
    """Return what refuses calls of one kind of program that name pid 1."""
    looks = [(_JUMP_EQUAL, len(calls) - i, 0, call) for i, call in enumerate(calls)]
    block = [
        (_LOAD, 0, 0, _NUMBER),
        *looks,
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD, 0, 0, _PID_ARGUMENT),
        (_JUMP_EQUAL, 0, 1, _FIRST),
        (_RETURN, 0, 0, _ERRNO | errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return [(_JUMP_EQUAL, 0, len(block), audit), *block]
