"""This host: the id that its task queue is named by, and the end of its worker by signal."""

import asyncio
import secrets
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from adapters.files.state_files import write_atomic


def host_id(data_dir: Path) -> str:
    """Return the host's id, made once for a data folder and kept there."""
    path = data_dir / "host-id"
    if not path.exists():
        write_atomic(path, secrets.token_hex(4), is_durable=True)  # workflows wait at its queue
    return path.read_text().strip()


async def until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Run work until it ends or SIGTERM or SIGINT comes, then let it clean up."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        if not task.cancelled():
            raise
