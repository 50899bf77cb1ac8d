"""A thread's branch merged into the branch that it began on, once a person has seen what that is."""

import sys
import time
from typing import Annotated

import typer

from cli.client import Client, CommandError, path_of
from cli.console import (
    Json,
    confirmed,
    load_settings,
    messages,
    output,
    plain,
    print_json,
    quoted,
)
from cli.looking import check_at, look, show
from cli.pick import Thread, pick
from domain.core.changes import BranchChanges
from domain.reading.views import ThreadView
from domain.threads.landing.calls import Landing

app = typer.Typer()

_PATIENCE_SECONDS = 330.0
_POLL_SECONDS = 0.3
_SHORT = 12

Commit = Annotated[
    str | None,
    typer.Option(help="Only if the thread's branch is at this commit (or its beginning)."),
]
Onto = Annotated[
    str | None,
    typer.Option(help="Only if the branch that it is merged into is at this commit."),
]


@app.command()
def merge(
    thread: Thread = None, commit: Commit = None, onto: Onto = None, as_json: Json = False
) -> None:
    """Merge the thread's branch into the branch that the thread began on."""
    client = Client(load_settings())
    name = pick(client, thread)
    found = look(client, name)
    _check(found, commit, onto)
    if commit is None or onto is None:
        _confirm(client, name, found)
    before = client.thread(name).landing.number
    body = {"commit": found.commit, "target_commit": found.target_commit}
    client.post(path_of("threads", name, "merge"), body)
    landing = _merged(client, name, before).landing
    if as_json:
        print_json(landing.model_dump(mode="json"))
    else:
        _tell(found, landing)
    if landing.failure or landing.is_under_way:
        raise typer.Exit(1)


def _check(found: BranchChanges, commit: str | None, onto: str | None) -> None:
    """Refuse what nobody could say yes to."""
    if not found.target_commit:
        raise CommandError(
            f"there is no branch {found.target!r} to merge into: say `git merge {found.branch}` where "
            "you want it"
        )
    check_at(found.branch, found.commit, commit)
    check_at(found.target, found.target_commit, onto)


def _confirm(client: Client, thread: str, found: BranchChanges) -> None:
    """Show what would be merged, and ask; without a terminal a commit says what was seen."""
    if not (sys.stdin.isatty() and messages.is_terminal):
        raise CommandError(
            f"say what you have seen: treadle merge {thread} --commit {found.commit[:_SHORT]} --onto "
            f"{found.target_commit[:_SHORT]} merges {found.branch} into {found.target}"
        )
    show(client, found)
    where = f"{found.target} ({found.target_commit[:_SHORT]})"
    what = f"Merge {found.branch} ({found.commit[:_SHORT]}) into {where}?"
    confirmed(what, aborts=True)


def _merged(client: Client, thread: str, before: int) -> ThreadView:
    """Wait until it is merged or refused, at most some minutes."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        view = client.thread(thread)
        is_over = view.landing.number > before and not view.landing.is_under_way
        if is_over or time.monotonic() > deadline:
            return view
        time.sleep(_POLL_SECONDS)


def _tell(found: BranchChanges, landing: Landing) -> None:
    if landing.failure:
        output.print(quoted(f"not merged: {landing.failure}", "red"), soft_wrap=True)
    elif landing.is_under_way:
        output.print(plain("being merged …; `treadle show` tells how it went"))
    else:
        line = f"{found.branch} is merged into {landing.target}: {landing.merge_commit[:_SHORT]}"
        output.print(plain(line, "green"), soft_wrap=True)
