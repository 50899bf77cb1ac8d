"""Whether a namespace is made: its first program says so, and becomes the program that was asked for.

Bubblewrap tells of a mount that fails by its exit code alone, which may be the program's own. And one
whose worker is killed before it asks for the parent-death signal goes on: then there is nobody to say
it to, and no program starts.
"""

from asyncio import IncompleteReadError

from adapters.processes.children import Child
from adapters.processes.sandbox import SandboxUnavailableError

_MARK = b"\0"
_SAY = 'printf "\\000" && exec "$@"'
_FAILED = 1


def saying_ready(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments that start `argv` in a namespace; its output begins with the mark."""
    return ("/bin/sh", "-c", _SAY, "treadle", *argv)


async def ready(child: Child) -> Child:
    """Wait until a child's namespace is made; its output is the program's from then on.

    A child that ended otherwise before is its caller's matter. One that failed is gone when this
    returns, and when it is cancelled.

    Raises:
        SandboxUnavailableError: Bubblewrap could not make it.
    """
    try:
        await child.stdout.readuntil(_MARK)
    except IncompleteReadError as error:
        if await child.wait() == _FAILED:
            said = (error.partial.decode(errors="replace") or child.stderr_tail()).strip()
            raise SandboxUnavailableError(
                f"its namespace cannot be made: {said or 'bubblewrap failed'}"
            ) from None
    except BaseException:
        await child.stop(grace=0)
        raise
    return child
