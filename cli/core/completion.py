"""What a shell offers in the place of an argument."""

import re
from collections.abc import Iterator

import httpx

from cli.core.client import connect
from cli.core.errors import CommandError

MOST = 50
"""More names than this are no help to a person who presses Tab."""

_PLAIN = re.compile(r"[a-z0-9-]+")


def offer_threads(incomplete: str) -> Iterator[str]:
    """Offer the ids of threads, those that changed last; none where no engine answers.

    Without titles: zsh evaluates what it gets.
    """
    try:
        found = connect(patience=0).get("/v1/threads", limit=MOST, q=incomplete)["threads"]
    except (CommandError, httpx.HTTPError):
        return
    names = (thread["stream"] for thread in found)
    yield from (n for n in names if n.startswith(incomplete) and _PLAIN.fullmatch(n))
