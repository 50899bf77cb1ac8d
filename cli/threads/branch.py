"""Reviewing a thread's branch before it is merged or published, and waiting for the result."""

import time
from collections.abc import Callable
from typing import TypeVar

from cli.core.client import Client, path_of
from cli.core.console import messages
from cli.core.errors import CommandError
from cli.core.views import read_thread
from cli.tasks.diff import coloured
from domain.core.changes import BranchChanges
from domain.reading.views import ThreadView
from domain.threads.landing.calls import Landing
from domain.threads.lifecycle.state import ChatMerge
from domain.threads.publishing.publication import Publication

R = TypeVar("R", Landing, Publication, ChatMerge)

SHORT = 12
_PATIENCE_SECONDS = 330.0
_POLL_SECONDS = 0.3


def look(client: Client, thread: str) -> BranchChanges:
    """Return where a thread's branch is, and what it changes."""
    return BranchChanges.model_validate(client.get(path_of("threads", thread, "changes")))


def show(client: Client, found: BranchChanges) -> None:
    """Draw what a branch changes."""
    if found.diff_ref:
        messages.print(coloured(client.text(path_of("texts", found.diff_ref))))


def check_at(branch: str, is_at: str, expected: str | None) -> None:
    """Refuse a branch that is not at the given commit.

    Raises:
        CommandError: It is at another one.
    """
    if expected is not None and (not expected or not is_at.startswith(expected)):
        raise CommandError(
            f"{branch} is at {is_at[:SHORT]}, not {expected!r}: review it again with `treadle diff`"
        )


def wait_for_end(client: Client, thread: str, before: int, part: Callable[[ThreadView], R]) -> R:
    """Wait until a merge or publication after the number `before` has ended, at most some minutes."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        found = part(read_thread(client, thread))
        is_over = found.number > before and not found.is_under_way
        if is_over or time.monotonic() > deadline:
            return found
        time.sleep(_POLL_SECONDS)
