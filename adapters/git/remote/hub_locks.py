"""Locks that a killed git left on a hub that is a folder, which nobody else would remove."""

import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from adapters.git.remote.hub_records import HubCopy

OLD_SECONDS = 60.0
"""Git holds a lock of a ref for moments; a hub on a shared disk may be in use by gits of other hosts."""


def remove_old_locks(copy: HubCopy) -> bool:
    """Remove locks of a thread's refs that are older than any push; tells whether there were some.

    A hub on a server is left alone: its locks are its own.
    """
    url = urlsplit(copy.url)
    if url.scheme != "file":
        return False
    hub = Path(unquote(url.path))
    roots = [root for root in (hub, hub / ".git") if (root / "refs").is_dir()]
    found = [
        lock
        for root in roots
        for lock in (root / "packed-refs.lock", *(root / copy.prefix).rglob("*.lock"))
    ]
    return sum(_remove_old(lock) for lock in found) > 0


def _remove_old(lock: Path) -> bool:
    with suppress(FileNotFoundError):
        if time.time() - lock.stat().st_mtime > OLD_SECONDS:
            lock.unlink()
            return True
    return False
