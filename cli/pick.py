"""Which thread is meant: an id, a part of one, or the only one that is open."""

from typing import Annotated

import typer

from cli.client import Client, CommandError
from domain.core.event import Headline

Thread = Annotated[
    str | None,
    typer.Argument(
        metavar="THREAD",
        help="A thread's id or a unique part of it; the only open one unless given.",
        show_default=False,
    ),
]
Of = Annotated[
    str | None,
    typer.Option(
        "--thread",
        "-t",
        metavar="THREAD",
        help="The only open one unless given.",
        show_default=False,
    ),
]
"""The same as an option, where the arguments are others."""

CLOSED = frozenset({"completed", "cancelled", "closed"})


class NoSuchThreadError(CommandError):
    """No thread, or more than one, is meant."""


def threads(client: Client, **filters: str) -> list[Headline]:
    """Return all threads that the API finds with these filters, the latest changed first."""
    found: list[Headline] = []
    query: dict[str, str | int] = {"limit": 1000, **filters}
    while True:
        page = client.get("/v1/threads", **query)
        found += [Headline.model_validate(row) for row in page["threads"]]
        if page.get("next") is None:
            return found
        query["after"] = page["next"]


def _known(client: Client, wanted: str | None) -> list[Headline]:
    """Return the threads that may be meant: archived ones only where no other one is."""
    if wanted is None:
        return threads(client)
    found = threads(client, q=wanted)
    return [t for t in found if wanted in t.stream] or threads(client, q=wanted, archived="true")


def pick(client: Client, wanted: str | None) -> str:
    """Return the id of the thread that is meant.

    Raises:
        NoSuchThreadError: None or several are; the message lists what there is.
    """
    known = _known(client, wanted)
    if wanted is None:
        candidates = [thread for thread in known if thread.status not in CLOSED] or known
        question = "several threads are open, say which (a part of its id is enough)"
    else:
        exact = [thread for thread in known if thread.stream == wanted]
        candidates = exact or [thread for thread in known if wanted in thread.stream]
        question = f"{wanted!r} is part of several threads, say more"
    if len(candidates) == 1:
        return candidates[0].stream
    if not candidates and wanted is not None and wanted.startswith("thread-"):
        return wanted  # one that does not get open is not listed, and can be cancelled
    if not candidates and wanted is not None and wanted.startswith("flow-"):
        raise NoSuchThreadError(f"{wanted} is no thread but a flow's: treadle flow status {wanted}")
    if not candidates:
        what = f"no thread has {wanted!r} in its id" if wanted else "there is no thread yet"
        raise NoSuchThreadError(f"{what}; `treadle ls` shows all of them")
    listed = "\n".join(f"  {thread.stream}  {thread.status}" for thread in candidates[:10])
    raise NoSuchThreadError(f"{question}:\n{listed}")
