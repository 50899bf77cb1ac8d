"""Foreign text in Markdown: it draws what it says and nothing else (CommonMark, GitHub's dialect)."""

import re

from domain.core.printable import visible

_ACTIVE = re.compile(r"[\\`*_\[\]<>&|~$]")
_AT_START = re.compile(r"^(\d*)([#+=.)-])")
_BACKTICKS = re.compile("`+")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9:/._-]+", re.ASCII)
_SPACES = re.compile(r"\s+")


def inline(text: str, limit: int = 500) -> str:
    """Return text on one line, cut, as it stands inside of a line: no markup of its own."""
    line = _SPACES.sub(" ", visible(text)).strip()
    line = line if len(line) <= limit else f"{line[: limit - 1]}…"
    escaped = _ACTIVE.sub(r"\\\g<0>", line)
    return _AT_START.sub(r"\1\\\2", escaped, count=1)


def address(url: str) -> str:
    """Return a URL as forges link it by themselves; one with other than plain characters as text.

    A forge takes the backslash of an escaped underscore, as in `merge_requests`, into the link.
    """
    return url if _ADDRESS.fullmatch(url) else inline(url)


def code(text: str, limit: int = 500) -> str:
    """Return text on one line as code; its quotes are longer than any in it."""
    line = _SPACES.sub(" ", visible(text)).strip()
    line = line if len(line) <= limit else f"{line[: limit - 1]}…"
    if not line:
        return ""
    quote = "`" * (_longest(line) + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{quote}{pad}{line}{pad}{quote}"


def fenced(text: str, info: str = "text", limit: int = 100_000) -> str:
    """Return text as a block of code whose fence is longer than any in it; the cut is told."""
    shown = visible(text[:limit])
    fence = "`" * max(3, _longest(shown) + 1)
    more = f"\n\n*{len(text) - limit} more characters are left out.*" if len(text) > limit else ""
    return f"{fence}{info}\n{shown.rstrip(chr(10))}\n{fence}{more}\n"


def _longest(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)
