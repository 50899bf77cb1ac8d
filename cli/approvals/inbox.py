"""`treadle inbox`: everything that is waiting for a person, and what they want to see later."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from cli.approvals import inbox_drawing
from cli.core.client import connect, path_of
from cli.core.console import Json, emit, output, say
from cli.core.errors import CommandError
from cli.core.tables import clock
from domain.core.errors import InvalidError
from domain.core.text import counted
from domain.reading.inbox.item import Inbox, InboxItem
from domain.reading.inbox.until import EXAMPLES, read_until

app = typer.Typer(
    name="inbox",
    help="List everything that is waiting for you, oldest first.",
    invoke_without_command=True,
)

Item = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="Id of the item, or of its thread if nothing else waits there."
    ),
]


@app.callback()
def inbox(
    context: typer.Context,
    is_mine: Annotated[
        bool,
        typer.Option("--mine", help="Only what you may decide, and nobody else is assigned to."),
    ] = False,
    is_snoozed: Annotated[
        bool, typer.Option("--snoozed", help="Only what you have snoozed.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List everything that is waiting for you, oldest first."""
    if context.invoked_subcommand is not None:
        return
    mine = {"mine": "true"} if is_mine else {}
    found = connect().get("/v1/inbox", **mine)
    emit(
        found,
        lambda row: _print(Inbox.model_validate(row).items, is_snoozed=is_snoozed),
        as_json=as_json,
    )


@app.command()
def snooze(
    item: Item,
    until: Annotated[str, typer.Option(metavar="TIME", help=f"One of {EXAMPLES}.")],
    as_json: Json = False,
) -> None:
    """Snooze an item: it comes back at that time, or earlier if it asks something else."""
    try:
        at = read_until(until, datetime.now(UTC).astimezone())
    except InvalidError as error:
        raise typer.BadParameter(error.message, param_hint="--until") from None
    client = connect()
    found = _named(Inbox.model_validate(client.get("/v1/inbox")).items, item)
    answer: Any = client.post(
        path_of("inbox", found.item_id, "snooze"), {"until": at.astimezone(UTC).isoformat()}
    )
    emit(answer, lambda _: say(f"Snoozed until {clock(at)}: {found.title}"), as_json=as_json)


@app.command()
def unsnooze(item: Item, as_json: Json = False) -> None:
    """End a snooze: the item is in your inbox again."""
    client = connect()
    found = _named(Inbox.model_validate(client.get("/v1/inbox")).items, item)
    answer: Any = client.post(path_of("inbox", found.item_id, "unsnooze"), {})
    emit(answer, lambda _: say(f"{found.title}: {answer['message']}"), as_json=as_json)


def _named(items: Sequence[InboxItem], name: str) -> InboxItem:
    exact = [item for item in items if item.item_id == name]
    near = [item for item in items if name in item.item_id]
    found = exact or near
    if len(found) == 1:
        return found[0]
    if not found:
        raise CommandError(f"nothing in your inbox is named {name!r}: see `treadle inbox`")
    names = ", ".join(item.item_id for item in found[:5])
    raise CommandError(f"{counted(len(found), 'item')} are named {name!r}: {names}")


def _print(items: Sequence[InboxItem], *, is_snoozed: bool) -> None:
    asleep = [item for item in items if item.snoozed_until is not None]
    awake = [item for item in items if item.snoozed_until is None]
    shown = asleep if is_snoozed else awake
    if is_snoozed:
        say(
            f"{counted(len(asleep), 'item')} snoozed:" if asleep else "Nothing is snoozed.",
            style="bold",
        )
    else:
        output.print(inbox_drawing.head(shown))
    for item in shown:
        output.print()
        # the commands are to be pasted: no line breaks
        output.print(inbox_drawing.drawn(item, datetime.now(UTC)), soft_wrap=True)
        if item.snoozed_until is not None:
            until = clock(item.snoozed_until)
            say(f"  snoozed until {until}; treadle inbox unsnooze {item.item_id}", style="dim")
    if asleep and not is_snoozed:
        output.print()
        say(f"{len(asleep)} snoozed: `treadle inbox --snoozed`", style="dim")
