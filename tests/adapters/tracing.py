"""A tracer: `python tracing.py attach|seize PID OPTIONS`; says what came of it, and stays.

It is deaf to SIGTERM. A tracee is never let go again; with PTRACE_O_TRACEEXIT it stops at its own end.
"""

import ctypes
import os
import signal
import sys

ATTACH, SET_OPTIONS, SEIZE = 16, 0x4200, 0x4206
TRACE_EXIT = 0x40
ALL_CHILDREN = 0x40000000

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def trace(how: str, pid: int, options: int) -> bool:
    """Trace a process; tell whether that was allowed."""
    if how == "seize":
        return libc.ptrace(SEIZE, pid, None, options) == 0
    if libc.ptrace(ATTACH, pid, None, None):
        return False
    os.waitpid(pid, ALL_CHILDREN)
    return libc.ptrace(SET_OPTIONS, pid, None, options) == 0


def main() -> None:
    """Trace, say so, and stay."""
    how, pid, options = sys.argv[1:4]
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    is_traced = trace(how, int(pid), int(options, 0))
    sys.stdout.write("traced\n" if is_traced else f"refused: {ctypes.get_errno()}\n")
    sys.stdout.flush()
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
