"""Ids of the editor's sessions: of a thread, or of one that opens with its first message."""

import hashlib
import re
import secrets

from domain.core.ids import is_thread

_FRESH = re.compile(r"acp-[0-9a-f]{32}", re.ASCII)


def fresh_session() -> str:
    """Return the id of a session without a thread; it is the id of the command that opens one."""
    return f"acp-{secrets.token_hex(16)}"


def is_fresh(session_id: str) -> bool:
    """Tell whether an id is one of `fresh_session`."""
    return bool(_FRESH.fullmatch(session_id))


def is_of_thread(session_id: str) -> bool:
    """Tell whether an id is a thread's own."""
    return session_id.startswith("thread-") and is_thread(session_id)


def thread_ending(session_id: str) -> str:
    """Return what the id of a thread ends with that the command of this id opened."""
    return f"-{hashlib.sha256(session_id.encode()).hexdigest()[:6]}"


def is_own_session(stream: str, thread_id: str) -> bool:
    """Tell whether a stream is that of a session of the thread itself, not of one of its tasks."""
    above, _, name = stream.rpartition("/")
    return above == thread_id and name.startswith("session-") and name[8:].isdecimal()
