"""Whether a sandbox is made: its first program says so, and becomes the program that was asked for.

Bubblewrap tells of a mount that fails by its exit code alone, which may be the program's own.
"""

from asyncio import IncompleteReadError

from adapters.processes.children import Child

_MARK = b"\0"
_SAY = 'printf "\\000"; exec "$@"'
_FAILED = 1


def saying_ready(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments that start `argv` in a sandbox; the first byte of its output is the mark."""
    return ("/bin/sh", "-c", _SAY, "treadle", *argv)


async def setup_failure(child: Child) -> str:
    """Wait until a child's sandbox is made; return why bubblewrap could not make it, "" if it did.

    A child that ended otherwise before is its caller's matter. One that failed is gone when this
    returns, and when it is cancelled.
    """
    try:
        await child.stdout.readuntil(_MARK)
    except IncompleteReadError as error:
        is_setup = await child.wait() == _FAILED
        said = error.partial.decode(errors="replace") or child.stderr_tail()
        return (said.strip() or "bubblewrap failed") if is_setup else ""
    except BaseException:
        await child.stop(grace=0)
        raise
    return ""
