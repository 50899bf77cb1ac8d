"""A disk that fails, for this process: system calls that answer with an error (seccomp, no root)."""

import ctypes
import platform
import struct

PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER = 1
SECCOMP_FILTER_FLAG_TSYNC = 1
RETURN_ERRNO = 0x0005_0000
RETURN_ALLOW = 0x7FFF_0000
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06

CALLS = {"x86_64": (74, 75, 317), "aarch64": (82, 83, 277)}
"""The numbers of fsync, fdatasync and seccomp."""


def fail_syncs(errno: int) -> None:
    """Have every flush to a disk fail from now on, on all OS threads of this process."""
    fsync, fdatasync, seccomp = CALLS[platform.machine()]
    code = b"".join(
        [
            struct.pack("HBBI", LOAD, 0, 0, 0),
            struct.pack("HBBI", JUMP_IF_EQUAL, 1, 0, fsync),
            struct.pack("HBBI", JUMP_IF_EQUAL, 0, 1, fdatasync),
            struct.pack("HBBI", RETURN, 0, 0, RETURN_ERRNO | errno),
            struct.pack("HBBI", RETURN, 0, 0, RETURN_ALLOW),
        ]
    )
    instructions = ctypes.create_string_buffer(code)
    program = struct.pack("HP", len(code) // 8, ctypes.addressof(instructions))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.syscall(seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program) != 0:
        raise OSError(ctypes.get_errno(), "no system call can be made to fail here")
