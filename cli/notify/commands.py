"""`treadle notify`: the channels that tell people what waits for them, and a test of one."""

from datetime import datetime
from typing import Annotated, Any

import typer
from rich.table import Table

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, say
from cli.core.errors import CommandError
from cli.core.tables import clock, table_of
from domain.core.text import counted

app = typer.Typer(
    name="notify", help="Channels that tell you what waits for you, and a test of one."
)

CHANNEL = "See `treadle notify list`."


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List the channels, and how each gets on."""
    found: Any = connect().get("/v1/news")
    emit(found, lambda _: _table(found["channels"]), as_json=as_json)


def _table(channels: list[dict[str, Any]]) -> Table:
    table = table_of(
        "channel", "kind", "says", "takes", "when", "waiting", "newest", whole=["channel"]
    )
    for each in channels:
        of = each["channel"]
        takes = [*of["kinds"], *of["projects"], *of["people"]]
        when = [
            f"quiet {of['quiet']}" * bool(of["quiet"]),
            f"digest {of['digest']}" * bool(of["digest"]),
        ]
        tried = clock(datetime.fromisoformat(each["tried_at"])) if each["tried_at"] else ""
        lost = each.get("given_up", 0)
        unheard = f"({counted(lost, 'message')} reached nobody)" if lost else ""
        newest = " ".join(filter(None, (each["newest"], tried, each["reason"], unheard)))
        table.add_row(
            of["name"],
            of["kind"],
            of["content"],
            ", ".join(takes) or "everything",
            ", ".join(filter(None, when)) or "at once",
            str(each["waiting"]),
            newest or "nothing yet",
        )
    return table


@app.command("test")
def send_test(
    channel: Annotated[str, typer.Argument(metavar="CHANNEL", help=CHANNEL)] = "",
    as_json: Json = False,
) -> None:
    """Send a test by a channel, or by each, and say what became of it."""
    client = connect()
    names = [channel] if channel else _names(client.get("/v1/news"))
    found: list[Any] = [
        client.post(path_of("news", "channels", name, "test"), {}) for name in names
    ]
    emit(found, lambda _: _say_all(found), as_json=as_json)
    if any(each["state"] != "sent" for each in found):
        raise typer.Exit(1)


def _names(found: Any) -> list[str]:
    names = [each["channel"]["name"] for each in found["channels"]]
    if not names:
        raise CommandError(
            "no channel is configured: write a [[news]] table into config.toml (docs/how-to/news.md)"
        )
    return names


def _say_all(found: list[Any]) -> None:
    for each in found:
        is_sent = each["state"] == "sent"
        outcome = "sent" if is_sent else f"not sent: {each['reason']}"
        say(f"{each['channel']}: {outcome}")


@app.command("send-digest")
def send_digest(
    channel: Annotated[str, typer.Argument(metavar="CHANNEL", help=CHANNEL)] = "",
    as_json: Json = False,
) -> None:
    """Send one message with all that waits now, by a channel or by each."""
    found: Any = connect().post("/v1/news/digest", {"channel": channel})
    words = ", ".join(found["channels"]) or "no channel is configured"
    emit(found, lambda _: say(f"A digest goes out, if anything waits: {words}."), as_json=as_json)
