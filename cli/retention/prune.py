"""`treadle prune`, `pin` and `unpin`: what is kept of threads that ended, and for how long."""

import time
from pathlib import Path
from textwrap import shorten
from typing import Annotated, Any, NoReturn

import typer
from rich.table import Table

from cli.core.client import Client, connect, path_of
from cli.core.confirmation import is_watched
from cli.core.console import USAGE, Json, confirmed, emit, messages, output, plain, say
from cli.core.errors import CommandError, RefusedError
from cli.core.sending import send_command
from cli.core.tables import clock, table_of
from cli.core.threads import ThreadName
from domain.core.errors import InvalidError
from domain.retention.ages import parse_age
from domain.retention.policy import PruneSelection
from domain.retention.receipts import PruneReceipt

app = typer.Typer()

_TITLE = 50
_WAIT_SECONDS = 0.5

Keep = Annotated[
    list[str] | None,
    typer.Option(
        "--keep",
        metavar="WHAT",
        help="Keep more: `last:N` of each repository, or `repo:NAME` (a path or its last part).",
    ),
]

Older = Annotated[
    str | None,
    typer.Option("--older", metavar="AGE", help="Unchanged for so long, like 12h, 90d or 8w."),
]
Archive = Annotated[
    str | None,
    typer.Option(
        "--archive",
        metavar="PLACE",
        help="Write each thread to a file first, in a folder or at s3://bucket/prefix.",
    ),
]
NoArchive = Annotated[
    bool, typer.Option("--no-archive", help="Archive nothing, whatever the setting says.")
]


@app.command()
def pin(thread: ThreadName, as_json: Json = False) -> None:
    """Pin a thread: no prune removes it."""
    send_command(thread, "pin", body={}, as_json=as_json)


@app.command()
def unpin(thread: ThreadName, as_json: Json = False) -> None:
    """Unpin a thread: prunes may remove it again."""
    send_command(thread, "unpin", body={}, as_json=as_json)


@app.command()
def prune(
    older: Older = None,
    keep: Keep = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be removed, and remove nothing.")
    ] = False,
    archive: Archive = None,
    no_archive: NoArchive = False,
    receipts: Annotated[
        bool, typer.Option("--list", help="List what was pruned before, and by whom.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
    as_json: Json = False,
) -> None:
    """Remove threads that ended for good: events, worktrees, branches and histories.

    Pinned threads, and those at work, are always kept. This cannot be undone; a receipt stays.
    """
    client = connect()
    if receipts:
        _list_receipts(client, as_json=as_json)
        return
    body = _policy(older, keep or [])
    body["archive"] = "" if no_archive else _place(archive)
    found = PruneSelection.model_validate(client.post("/v1/prunes/preview", _without_id(body)))
    if dry_run or not found.chosen:
        emit(found.model_dump(mode="json"), lambda _: _draw(found), as_json=as_json)
        return
    if not yes:
        _confirm(found)
    started = client.post("/v1/prunes", {**body, "content_hash": found.content_hash})
    receipt = _wait(client, started["prune_id"])
    emit(receipt.model_dump(mode="json"), lambda _: _say_end(receipt), as_json=as_json)
    if found.more:
        say(f"{found.more} more are old enough: run the same command again.")


def _place(archive: str | None) -> str | None:
    """Return a place for archives as the server takes it: a folder by its absolute path."""
    if not archive or archive.startswith("s3://"):
        return archive
    return str(Path(archive).expanduser().absolute())


def _without_id(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "command_id": None}  # a preview is no command


def _policy(older: str | None, keep: list[str]) -> dict[str, Any]:
    """Return the policy of a request.

    Raises:
        Exit: An option is wrong.
    """
    if older is None:
        _refuse("Say how old: `treadle prune --older 90d`; `--dry-run` only shows the threads.")
    try:
        parse_age(older)
    except InvalidError as error:
        _refuse(f"--older: {error.message}")
    policy: dict[str, Any] = {"older": older, "keep_last": 0, "keep_repositories": []}
    for each in keep:
        kind, _, value = each.partition(":")
        if kind == "last" and value.isascii() and value.isdigit():
            policy["keep_last"] = int(value)
        elif kind == "repo" and value:
            policy["keep_repositories"].append(value)
        elif each != "pinned":
            _refuse(f"--keep {each}: write `last:N` or `repo:NAME`; pinned threads are always kept")
    return policy


def _refuse(text: str) -> NoReturn:
    say(text, style="red")
    raise typer.Exit(USAGE)


def _confirm(found: PruneSelection) -> None:
    """Show what goes, and ask.

    Raises:
        CommandError: The answer was no.
    """
    kept = f", after each is archived in {found.policy.archive}" if found.policy.archive else ""
    if not is_watched():
        _refuse(f"Add --yes to remove {len(found.chosen)} threads without confirmation.")
    messages.print(_table(found))
    if not confirmed(f"Remove these {len(found.chosen)} threads for good{kept}?"):
        raise CommandError("nothing was removed")


def _draw(found: PruneSelection) -> None:
    if not found.chosen and not found.kept:
        output.print(plain(f"No thread ended and is unchanged for {found.policy.older}."))
        return
    output.print(_table(found))
    more = f" and {found.more} more" if found.more else ""
    output.print(plain(f"{len(found.chosen)}{more} would be removed, {len(found.kept)} kept."))
    if found.policy.archive:
        output.print(plain(f"Each would be archived in {found.policy.archive} first."))


def _table(found: PruneSelection) -> Table:
    table = table_of("thread", "status", "project", "changed", "", "title", folded=["thread"])
    rows = [(thread, "") for thread in found.chosen]
    rows += [(thread, f"kept: {thread.because}") for thread in found.kept]
    for thread, kept in rows:
        table.add_row(
            thread.thread_id,
            thread.status,
            plain(thread.project.rsplit("/", 1)[-1]),
            clock(thread.changed_at) if thread.changed_at else "",
            kept,
            plain(shorten(thread.title, _TITLE, placeholder=" …")),
            style="dim" if kept else "",
        )
    return table


def _wait(client: Client, prune_id: str) -> PruneReceipt:
    """Wait for the end of a prune; leaving does not stop it."""
    while True:
        try:
            found = PruneReceipt.model_validate(client.get(path_of("prunes", prune_id)))
        except RefusedError as error:
            if error.name != "not_found":
                raise
        else:
            if found.ended_at is not None:
                return found
        time.sleep(_WAIT_SECONDS)


def _say_end(receipt: PruneReceipt) -> None:
    say(f"{len(receipt.pruned)} threads removed, {len(receipt.skipped)} kept.")
    for thread in receipt.pruned:
        if thread.archive:
            say(f"{thread.thread_id} is archived as {thread.archive}")
        if thread.outcome != "deleted":
            say(f"{thread.thread_id}: {thread.outcome}")
    for skipped in receipt.skipped:
        say(f"{skipped.thread_id} kept: {skipped.reason}", style="yellow")


def _list_receipts(client: Client, *, as_json: bool) -> None:
    answer = client.get("/v1/prunes")

    def draw(_: object) -> None:
        found = [PruneReceipt.model_validate(each) for each in answer["prunes"]]
        if not found:
            output.print(plain("Nothing was pruned yet."))
            return
        table = table_of("started", "by", "removed", "kept", "what", folded=["what"])
        for each in found:
            counts = str(len(each.pruned)), str(len(each.skipped))
            table.add_row(clock(each.started_at), plain(each.by), *counts, plain(each.policy.words))
        output.print(table)

    emit(answer, draw, as_json=as_json)
