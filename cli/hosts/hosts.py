"""`treadle hosts`: list, join, cordon, drain and give up hosts."""

from typing import Annotated, Any

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, output, plain, say
from cli.core.tables import table_of
from cli.hosts import draining, joining
from domain.hosts.silence import heartbeat

app = typer.Typer(
    name="hosts",
    help="Hosts: list them, join, and say which get work.",
    invoke_without_command=True,
)

_COLUMNS = (
    "host",
    "id",
    "state",
    "threads",
    "at work",
    "slots",
    "heartbeat",
    "version",
    "labels",
    "agents",
)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Name or id of a host; see `treadle hosts`.")
]


@app.callback()
def list_(context: typer.Context, as_json: Json = False) -> None:
    """List hosts with their state, threads, work, slots, last heartbeat, version, labels and agents."""
    if context.invoked_subcommand is None:
        emit(connect().get("/v1/hosts"), _print, as_json=as_json)


@app.command()
def cordon(name: Name, as_json: Json = False) -> None:
    """Place no new threads on a host; what is there goes on."""
    _decide(name, "cordon", "{name} gets no new threads.", as_json=as_json)


@app.command()
def uncordon(name: Name, as_json: Json = False) -> None:
    """Place threads on a host again, also on one that was drained or declared lost."""
    _decide(name, "uncordon", "{name} gets threads again.", as_json=as_json)


@app.command()
def lost(name: Name, as_json: Json = False) -> None:
    """Give up a host that will not come back: its worker is refused, and what can goes on at another host."""
    words = (
        "{name} is lost: what can goes on at another host, and its worker is refused until "
        "`treadle hosts uncordon {name}`."
    )
    _decide(name, "lost", words, as_json=as_json)


app.add_typer(joining.app)
app.add_typer(draining.app)


def _decide(name: str, decision: str, words: str, *, as_json: bool) -> None:
    answer = connect().post(path_of("hosts", name, decision), {})
    emit(answer, lambda host: say(words.format(name=host["name"])), as_json=as_json)


def _print(answer: Any) -> None:
    hosts = answer["hosts"]
    if not hosts:
        say("No host has started yet. Start one with `treadle up`.")
        return
    table = table_of(*_COLUMNS, whole={"id", "state", "heartbeat"})
    for host in hosts:
        state, style = _state(host)
        table.add_row(
            plain(host["name"]),
            host["host"],
            plain(state, style),
            str(len(host["threads"])),
            str(host.get("turns", 0)),
            str(host["slots"]),
            heartbeat(host["silent_seconds"]),
            plain(host["version"] or "unknown"),
            plain(", ".join(host["labels"])),
            plain(", ".join(host["agents"])),
        )
    output.print(table)
    for host in hosts:
        draining.print_staying(host)


def _state(host: Any) -> tuple[str, str]:
    if host["state"] == "lost":
        return "lost", "red"
    if host["drain"] and host["drain"]["drained"]:
        return "drained", "yellow"
    if host["silent"]:
        return f"{host['state']}, silent", "red"
    if host["drain"]:
        return draining.left_of(host), "yellow"
    return host["state"], "" if host["state"] == "up" else "yellow"
