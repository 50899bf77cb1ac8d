"""What Temporal's lists show of each activity, timer and workflow: names and numbers, in clear (ADR 0008).

No prompt, output, file content, command or answer is ever part of it, and nothing that looks like a secret:
whoever reads Temporal's database reads this.
"""

from collections.abc import Iterable

from domain.core.secret_forms import without_secrets, without_split_secrets
from domain.core.wire import Wire

MAX_BYTES = 180
"""Temporal refuses a summary above 400 bytes, as JSON, and with it the whole workflow task."""

MAX_TITLE_BYTES = 80
"""Of a goal, which may be a long prompt."""

_READ = 16 << 10
"""So much of a goal is read for a secret that its first line begins."""

MAX_NAMED = 3


class Summarized(Wire):
    """Base of what activities take."""

    @property
    def summary(self) -> str:
        """What Temporal's Web UI shows of the activity, in a phrase."""
        raise NotImplementedError(f"{type(self).__name__} has no summary")


def bounded(text: str, limit_bytes: int = MAX_BYTES) -> str:
    """Return a text on one line, within a limit in UTF-8, without secrets and what cannot be printed.

    Secrets go first: what is left of one that was cut has its form no more.
    """
    clean = without_split_secrets(text)
    printable = "".join(c if c.isprintable() else " " for c in clean)
    line = without_secrets(" ".join(printable.split()))
    encoded = line.encode(errors="replace")
    if len(encoded) <= limit_bytes:
        return line
    return f"{encoded[: limit_bytes - 3].decode(errors='ignore').rstrip()}…"


def title_line(text: str) -> str:
    """Return what a goal is called in clear: the beginning of its first line. The rest stays sealed."""
    lines = without_split_secrets(text.strip()[:_READ]).splitlines()
    return bounded(next(iter(lines), ""), MAX_TITLE_BYTES)


def listed(names: Iterable[str]) -> str:
    """Return a few names, and how many more there are; each is told once."""
    told = list(dict.fromkeys(names))
    more = len(told) - MAX_NAMED
    return ", ".join(told[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def last_part(name: str) -> str:
    """Return the last part of an id or path: `session-1` of `thread-a/session-1`."""
    return name.rstrip("/").rpartition("/")[2] or name
