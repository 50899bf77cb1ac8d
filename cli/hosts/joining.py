"""`treadle hosts invite` and `treadle hosts join`: how a machine becomes a host."""

import platform
import re
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, load_settings, output, say
from cli.core.errors import CommandError
from cli.core.servers import checked_url
from cli.core.tables import clock, table_of
from cli.hosts.joined_files import JoinedFiles
from cli.hosts.membership import ask
from domain.hosts.host import label_list

app = typer.Typer()
"""The commands, which `treadle hosts` adds to its own."""

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")

Server = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="Address of the server: https://…, or http:// of this machine, as through an SSH tunnel.",
    ),
]
Token = Annotated[
    str | None,
    typer.Option(
        envvar="TREADLE_JOIN_TOKEN",
        show_envvar=True,
        help="What `treadle hosts invite` printed on the server.",
    ),
]


@app.command()
def invite(
    name: Annotated[str | None, typer.Option(help="Name that the host gets.")] = None,
    minutes: Annotated[
        int, typer.Option(min=1, max=10_080, help="Minutes until the invitation expires.")
    ] = 60,
    as_json: Json = False,
) -> None:
    """Invite a machine to join as a host; prints a token that is good once."""
    made: Any = connect().post("/v1/host-invitations", {"name": name, "minutes": minutes})
    emit(made, lambda _: _print_invitation(made), as_json=as_json)


def _print_invitation(made: Any) -> None:
    output.print(made["token"], markup=False, highlight=False, soft_wrap=True)
    until = clock(datetime.fromisoformat(made["details"]["expires_at"]))
    say(f"Good for one machine, until {until}. It is not shown again.", style="dim")
    say("On that machine: treadle hosts join URL --token TOKEN", style="dim")


@app.command()
def invitations(as_json: Json = False) -> None:
    """List invitations, and who joined with them."""
    found: Any = connect().get("/v1/host-invitations")
    emit(found, lambda _: output.print(_table(found["invitations"])), as_json=as_json)


def _table(found: list[dict[str, Any]]) -> Any:
    table = table_of("id", "name", "by", "expires", "state", whole=["id"])
    for each in found:
        expires = datetime.fromisoformat(each["expires_at"])
        state = "open" if expires > datetime.now(expires.tzinfo) else "expired"
        state = f"used by {each['used_by']}" if each["used_at"] else state
        state = "revoked" if each["revoked_at"] else state
        name, by = each["name"], each["created_by"]
        table.add_row(each["invitation_id"], name, by, clock(expires), state)
    return table


@app.command()
def revoke(
    invitation: Annotated[
        str, typer.Argument(metavar="ID", help="See `treadle hosts invitations`.")
    ],
    as_json: Json = False,
) -> None:
    """Revoke an invitation: nobody joins with it from now on."""
    gone: Any = connect().post(path_of("host-invitations", invitation, "revoke"), {})
    emit(gone, lambda _: say(f"Revoked {gone['invitation_id']}."), as_json=as_json)


@app.command()
def join(
    url: Server,
    token: Token = None,
    token_file: Annotated[
        Path | None, typer.Option(help="File with the token, such as a mounted secret.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of this host; the machine's name by default.")
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option(help="Label of this host; repeat for more.")
    ] = None,
    ca: Annotated[
        Path | None, typer.Option(help="Certificates to trust in place of the system's.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Join again, with what the server has now.")
    ] = False,
) -> None:
    """Join a server's hosts: gets keys and addresses, and writes them to the data folder."""
    labels = _labels(label or [])
    server, settings = checked_url(url, "the answer has all keys"), load_settings()
    files = JoinedFiles(settings.data_dir)
    if files.has_joined and not again:
        files.refuse_another(str(server))
        known = f" {files.server}" if files.server else ""
        say(f"This host has joined{known} already. Start it with `treadle worker`.")
        return
    if not files.has_joined:
        files.refuse_own()
    body = {
        "token": _token(token, token_file),
        "host": files.host_id(),
        "name": name or settings.host.name or _machine(),
        "attempt": files.attempt(),
        "boot": BOOT_ID.read_text().strip(),
    }
    answer: Any = ask(server, body, ca)
    files.write(str(server), answer, answer["name"], labels)
    say(f"This host has joined as {answer['name']}. Start it with `treadle worker`.")


def _labels(names: list[str]) -> str:
    try:
        return ", ".join(label_list(",".join(names)))
    except ValueError as error:
        raise CommandError(f"{', '.join(names)}: {error}") from error


def _token(token: str | None, file: Path | None) -> str:
    try:
        found = file.read_text().strip() if file else (token or "").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error
    if not found:
        raise CommandError(
            "an invitation is missing: run `treadle hosts invite` on the server, and give its token with "
            "--token, --token-file or TREADLE_JOIN_TOKEN"
        )
    return found


def _machine() -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", platform.node()).strip("-._")[:64] or "host"
