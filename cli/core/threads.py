"""Threads as commands name them: by id, a part of it, or as the only open one."""

from typing import Annotated, TypedDict

import typer

from cli.core.client import EMPTY, Client, connect
from cli.core.completion import offer_threads
from cli.core.errors import CommandError
from domain.core.status_words import status_words

_HELP = "Thread id, or a unique part of it."
_DEFAULT = f"{_HELP} Default: the only open thread."

Thread = Annotated[
    str | None,
    typer.Argument(
        metavar="THREAD", help=_DEFAULT, show_default=False, autocompletion=offer_threads
    ),
]
ThreadName = Annotated[
    str, typer.Argument(metavar="THREAD", help=_HELP, autocompletion=offer_threads)
]
"""The same where it is required."""

CLOSED = frozenset({"completed", "cancelled", "closed", "terminated"})


class ThreadRow(TypedDict):
    """A thread in a list of the API; not a model of the domain, which takes long to import."""

    stream: str
    title: str
    status: str
    project: str
    waiting_for: str
    is_archived: bool
    issue: dict[str, str] | None
    opened_by: str


class NoSuchThreadError(CommandError):
    """No thread matches, or several do."""


def fetch_threads(client: Client, **filters: str) -> list[ThreadRow]:
    """Return all threads that match these filters, most recently changed first."""
    found: list[ThreadRow] = []
    query: dict[str, str | int] = {"limit": 1000, **filters}
    while True:
        page = client.get("/v1/threads", **query)
        found += page["threads"]
        if page.get("next") is None:
            return found
        query["after"] = page["next"]


def _known(client: Client, wanted: str | None) -> list[ThreadRow]:
    """Return the threads that may be meant: archived ones only if no other matches."""
    if wanted is None:
        return fetch_threads(client)
    found = fetch_threads(client, q=wanted)
    return [t for t in found if _has_part(t, wanted)] or fetch_threads(
        client, q=wanted, archived="true"
    )


def _has_part(thread: ThreadRow, wanted: str) -> bool:
    return wanted.casefold() in thread["stream"].casefold()


def _words(row: ThreadRow) -> str:
    return status_words(row["status"], row["waiting_for"])


def pick(client: Client, wanted: str | None) -> str:
    """Return the id of the thread that is meant.

    Raises:
        NoSuchThreadError: None matches, or several do; the message lists them.
    """
    if wanted == "":
        raise NoSuchThreadError(EMPTY)
    known = _known(client, wanted)
    if wanted is None:
        candidates = [thread for thread in known if thread["status"] not in CLOSED] or known
        problem = "several threads are open; name one (part of its id is enough)"
    else:
        exact = [thread for thread in known if thread["stream"] == wanted]
        candidates = exact or [thread for thread in known if _has_part(thread, wanted)]
        problem = f"{wanted!r} matches several threads"
    if len(candidates) == 1:
        return candidates[0]["stream"]
    if candidates:
        listed = "\n".join(f"  {row['stream']}  {_words(row)}" for row in candidates[:10])
        raise NoSuchThreadError(f"{problem}:\n{listed}")
    if wanted is None:
        raise NoSuchThreadError("no threads yet: start one with `treadle run GOAL`")
    if wanted.startswith("thread-"):
        return wanted  # one that is not open yet is not listed, but can be cancelled
    if wanted.startswith("flow-"):
        raise NoSuchThreadError(
            f"{wanted} is a flow run, not a thread: use `treadle flow status {wanted}`"
        )
    raise NoSuchThreadError(f"no thread matches {wanted!r}; list them with `treadle threads`")


def connect_to(wanted: str | None) -> tuple[Client, str]:
    """Return a client and the id of the thread that is meant; fails as `pick` does."""
    client = connect()
    return client, pick(client, wanted)
