"""`treadle webhooks`: senders, the newest deliveries, what was refused, and a delivery to try one."""

from datetime import datetime
from typing import Annotated, Any

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, output, say
from cli.core.tables import clock, table_of

app = typer.Typer(
    name="webhooks", no_args_is_help=True, help="Webhooks: see what they brought, and try one."
)

_SHOWN = 20


@app.command("list")
def show(as_json: Json = False) -> None:
    """List senders, the newest deliveries, and how many were refused why."""
    emit(connect().get("/v1/webhooks"), _draw, as_json=as_json)


@app.command("test")
def send_ping(
    name: Annotated[str, typer.Argument(help="Name of the sender.")], as_json: Json = False
) -> None:
    """Send a signed ping through the listener, and one whose signature is wrong."""
    found = connect().post(path_of("webhooks", name, "test"), {})
    emit(found, _draw_trial, as_json=as_json)
    if not found["is_fine"]:
        raise typer.Exit(1)


def _draw_trial(found: dict[str, Any]) -> None:
    say(
        f"A signed delivery was answered with {found['signed']}, a forged one with {found['unsigned']}."
    )
    if not found["is_fine"]:
        say("The first should be 202, the second 401.", style="red")


def _draw(found: dict[str, Any]) -> None:
    if found["listen"] is None:
        say("Webhooks are off: set TREADLE_WEBHOOKS_LISTEN, and name senders.")
        return
    say(f"Webhooks come in at {found['listen']}.")
    senders = table_of("sender", "kind", "path", "starts")
    for sender in found["senders"]:
        senders.add_row(sender["name"], sender["kind"], sender["path"], sender["template"] or "")
    output.print(senders)
    if found["deliveries"]:
        newest = table_of("at", "sender", "event", "outcome", "about")
        for one in found["deliveries"][:_SHOWN]:
            row = (one["sender"], one["event"], one["outcome"], one["about"])
            newest.add_row(_clock(one["at"]), *row)
        output.print(newest)
    if found["refused"]:
        refused = table_of("refused", "why", "times", "last")
        for one in found["refused"]:
            row = (one["sender"] or "(unknown)", one["reason"], str(one["count"]))
            refused.add_row(*row, _clock(one["last_at"]))
        output.print(refused)
    for one in found["refused_since"]:
        words = f"The last delivery of {one['sender']} was refused ({one['reason']}), and none was taken since."
        say(words, style="red")


def _clock(at: str) -> str:
    return clock(datetime.fromisoformat(at))
