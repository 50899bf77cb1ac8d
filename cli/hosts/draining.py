"""`treadle hosts drain`: a host ends its turns, and what can goes on elsewhere."""

import time
from typing import Annotated, Any

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, load_settings, say
from cli.core.errors import CommandError
from cli.hosts.joined_files import JoinedFiles

app = typer.Typer()
"""The command, which `treadle hosts` adds to its own."""

LOOK_SECONDS = 1.0


@app.command()
def drain(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Name or id of a host; see `treadle hosts`."),
    ] = None,
    here: Annotated[
        bool, typer.Option("--here", help="Drain the host of this machine's data folder.")
    ] = False,
    wait: Annotated[
        int,
        typer.Option(min=0, max=86_400, help="Wait until it has drained, for so many seconds."),
    ] = 0,
    until_start: Annotated[
        bool,
        typer.Option("--until-start", help="Uncordon it by itself when its worker starts again."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Drain a host: no turn begins there, and what can goes on at another host once its turns have ended."""
    path = path_of("hosts", _host(name, is_here=here), "drain")
    host: Any = connect().post(f"{path}?until_start=true" if until_start else path, {})
    if wait:
        host = _drained(host["host"], wait)
    emit(host, _print, as_json=as_json)
    if wait and not host["drain"]["drained"]:
        raise typer.Exit(1)


def _host(name: str | None, *, is_here: bool) -> str:
    if is_here == (name is not None):
        raise CommandError("name a host, or give --here for the one of this machine")
    if name is not None:
        return name
    found = JoinedFiles(load_settings().data_dir).known_host
    if not found:
        raise CommandError("no worker has run in this machine's data folder: name a host")
    return found


def _drained(host_id: str, seconds: float) -> Any:
    deadline = time.monotonic() + seconds
    while True:
        hosts: Any = connect().get("/v1/hosts")
        host = next(each for each in hosts["hosts"] if each["host"] == host_id)
        if host["drain"] is None:
            raise CommandError(f"{host['name']} is {host['state']} by now, and drains no more")
        if host["drain"]["drained"] or time.monotonic() > deadline:
            return host
        time.sleep(LOOK_SECONDS)


def _print(host: Any) -> None:
    name, found = host["name"], host["drain"]
    if found["drained"]:
        say(f"{name} has drained. Its worker can be stopped.")
    elif not found["is_answering"]:
        say(f"{name} gets no new work. Its worker has not answered yet; see `treadle hosts`.")
    else:
        at_work, moving = len(found["at_work"]), len(found["moving"])
        say(
            f"{name} gets no new work. At work until their turns end: {at_work}. To move to other hosts: "
            f"{moving}. See `treadle hosts`."
        )
    print_staying(host)


def left_of(host: Any) -> str:
    """Say how many threads and flow runs a host that drains has yet to end its turns of, and to move."""
    found = host["drain"]
    if not found["is_answering"]:
        return "draining: its worker has not answered yet"
    return f"draining: {len(found['at_work'])} at work, {len(found['moving'])} to move"


def print_staying(host: Any) -> None:
    """Print what stays on a host that drains, and why."""
    for each in (host["drain"] or {"staying": ()})["staying"]:
        say(f"{each['stream']} stays on {host['name']}: {each['reason']}")
