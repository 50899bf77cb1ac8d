"""The `treadle` command: finds the program's packages and starts the part that was asked for.

The processes of an engine (worker, API, scripted agent) are found by name before anything heavy is
imported, so an agent starts in tens of milliseconds; all else is the command line in cli/.
"""

import gc
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import treadle

HERE = Path(__file__).resolve().parent

ELSEWHERE = (
    "treadle: it needs Linux, whose kernel confines agents and ends their processes: on macOS run it in a virtual "
    "machine, on Windows in WSL 2, or open the page of a team's server (https://…) in your browser"
)

OTHERS_WRITE = 0o022
"""What no file of ours allows, whatever the user's umask is."""


def main() -> None:
    """Run the command in sys.argv."""
    os.umask(os.umask(OTHERS_WRITE) | OTHERS_WRITE)
    _find_packages()
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name in {"--version", "-V"}:
        print(f"treadle {treadle.__version__}")  # noqa: T201  (a command's answer)
        return
    if sys.platform != "linux":
        sys.exit(ELSEWHERE)
    start = PARTS.get(name, _command_line)
    start()


def _find_packages() -> None:
    """Make `domain`, `cli` … importable: they lie beside this file in a wheel, above it in a checkout."""
    modules: dict[str, Any] = sys.modules
    modules["httpx._main"] = None  # httpx's own command line imports rich.progress and click
    home = HERE if (HERE / "domain").is_dir() else HERE.parent
    if str(home) not in sys.path:
        sys.path.insert(0, str(home))


@contextmanager
def _importing() -> Generator[None]:
    """Keep the garbage collector out of an import: all that it makes stays, and is never looked at."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def _worker() -> None:
    if sys.argv[2:3] == ["drain"]:
        from treadle import draining

        draining.main()
    is_spare = "--spare" in sys.argv
    with _importing():
        import worker

    if is_spare and not sys.stdin.readline():
        return  # nobody needs it any more
    worker.main()


def _api() -> None:
    with _importing():
        from api import server

    server.main()


def _scripted_agent() -> None:
    from adapters import scripted_agent

    scripted_agent.main(sys.argv[2:])


def _tool_bridge() -> None:
    from adapters.tools import bridge

    bridge.main(sys.argv[2:])


def _command_line() -> None:
    gc.disable()  # until the command is imported (cli/core/lazy.py)
    from treadle import commands

    commands.run()


PARTS: dict[str, Callable[[], None]] = {
    "worker": _worker,
    "api": _api,
    "scripted-agent": _scripted_agent,
    "tool-bridge": _tool_bridge,
}
"""The processes that an engine starts by name; not for people, and not shown in --help."""


if __name__ == "__main__":
    main()
