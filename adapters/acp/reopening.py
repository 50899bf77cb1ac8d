"""How old an agent's session must be before another process may reopen it.

Gemini names a session's file by the minute: a process that loads it in the minute in which another one
opened it truncates that file.
"""

import time
from contextlib import suppress
from pathlib import Path

from adapters.files.safe_open import safe_write

MARK = ".treadle-opened"


def mark_opened(home: Path) -> None:
    """Note in the agent's home that a session was opened now; another worker can read it there."""
    with suppress(OSError):  # the agent can put a folder there, and harms only itself
        safe_write(home, MARK, b"")  # a link that it left is replaced, never followed


def seconds_to_wait(home: Path, least_age: float) -> float:
    """Return how long to wait until a session in this home may be reopened, 0 for not at all."""
    try:
        opened_at = (home / MARK).lstat().st_mtime
    except OSError:
        return 0.0
    return min(max(0.0, opened_at + least_age - time.time()), least_age)
