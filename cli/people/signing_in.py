"""`treadle login` and `treadle logout`: which server the command line talks to, and as whom."""

import getpass
import platform
import re
import sys
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer

from address import Server, read_address
from cli.core.client import Client, path_of, refusal
from cli.core.console import load_settings, messages, plain, say
from cli.core.errors import CommandError, RefusedError, UnreachableError
from cli.core.servers import checked_url, way_to, why_not
from cli.core.tables import clock
from cli.people.login_file import LoginFile

app = typer.Typer()

WAITING = "authorization_pending"
SLOWER = "slow_down"
SLOWER_SECONDS = 5
SECRET = "your token would be readable on the way"  # noqa: S105 - words

Url = Annotated[
    str, typer.Argument(metavar="URL", help="Address of the server: https://treadle.example.org.")
]
WithToken = Annotated[
    bool,
    typer.Option("--with-token", help="Read a personal access token from standard input instead."),
]
Scope = Annotated[
    str, typer.Option(help="The most that commands may do: viewer, author, approver or admin.")
]
Days = Annotated[int, typer.Option(min=1, max=366, help="Days until you sign in again.")]
Ca = Annotated[Path | None, typer.Option(help="Certificates to trust in place of the system's.")]


@app.command()
def login(
    url: Url,
    with_token: WithToken = False,
    scope: Scope = "approver",
    days: Days = 30,
    ca: Ca = None,
) -> None:
    """Sign in at a team's server; commands then talk to it, until `treadle logout`.

    Prints a code and an address. Open it in any browser, compare the code, and confirm it there.
    """
    address = str(checked_url(url, SECRET)).rstrip("/")
    files = str(ca.absolute()) if ca else ""
    made = {"token": _typed_token()} if with_token else None
    if made is None:
        asked = {"machine": _machine(), "scope": scope, "days": days}
        with httpx.Client(**way_to(Server(address, "", files))) as http:
            made = _confirmed(http, address, _posted(http, address, "device-logins", asked))
    server = Server(address, made["token"], files)
    settings = read_address() or load_settings()
    me = Client(settings, server).get("/v1/me")
    details: Any = made.get("details") or {}
    LoginFile(settings.data_dir).write(
        {"url": address, "ca": files, "token": server.token, "token_id": details.get("token_id")}
    )
    until = details.get("expires_at")
    lasts = f", until {clock(datetime.fromisoformat(until))}" if until else ""
    say(f"Signed in at {address} as {me['person']} ({me['role']}){lasts}.")
    say(
        "Commands talk to that server now. For the engine of this machine set TREADLE_URL=local, or run "
        "`treadle logout`.",
        style="dim",
    )


@app.command()
def logout() -> None:
    """Sign out of a team's server: revoke the token of `treadle login`, and forget it."""
    settings = read_address() or load_settings()
    file = LoginFile(settings.data_dir)
    saved = file.read()
    if saved is None:
        say("You are signed in nowhere.")
        return
    try:
        server = Server(saved["url"], saved["token"], saved["ca"])
        _revoke(saved, Client(settings, server, patience=0))
    except (CommandError, KeyError) as error:
        say(f"The token could not be revoked at the server: {error}", style="yellow")
    finally:
        file.remove()
    say(f"Signed out of {saved.get('url')}. Commands talk to the engine of this machine now.")


def _revoke(saved: Mapping[str, Any], client: Client) -> None:
    if saved["token_id"] is None:
        say("The token was not made by `treadle login`, and stays good.", style="dim")
        return
    client.post(path_of("tokens", saved["token_id"], "revoke"), {})


def _confirmed(http: httpx.Client, url: str, codes: Mapping[str, Any]) -> dict[str, Any]:
    """Wait until a person has confirmed the code; return the token.

    Raises:
        RefusedError: They denied it, or nobody did in time.
    """
    messages.print(plain(f"Open {codes['verification_uri_complete']}"), soft_wrap=True)
    messages.print(plain(f"and confirm the code  {codes['user_code']}", "bold"), soft_wrap=True)
    say(f"Waiting for {codes['expires_in'] // 60} minutes; Ctrl-C stops.", style="dim")
    interval: float = codes["interval"]
    while True:
        time.sleep(interval)
        try:
            body = {"device_code": codes["device_code"]}
            return _posted(http, url, "device-tokens", body)
        except UnreachableError as error:
            say(f"{error}; retrying", style="dim")
        except RefusedError as error:
            if error.name not in {WAITING, SLOWER}:
                raise
            interval += SLOWER_SECONDS if error.name == SLOWER else 0


def _posted(http: httpx.Client, url: str, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    try:
        answer = http.post(f"/v1/{path}", json=body)
    except httpx.TransportError as error:
        raise UnreachableError(why_not(url, error)) from error
    if answer.is_error:
        raise refusal(answer)
    try:
        return dict(answer.json())
    except ValueError as error:
        raise CommandError(f"{url} is no Treadle server") from error


def _typed_token() -> str:
    if sys.stdin.isatty():
        text = getpass.getpass("Token: ", stream=sys.stderr)
    else:
        text = sys.stdin.readline()
    found = text.strip()
    if not re.fullmatch(r"[\x21-\x7e]+", found):
        raise CommandError(
            "no token was given on standard input: create one on the page, or with `treadle tokens`"
        )
    return found


def _machine() -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", platform.node()).strip("-._")[:64] or "unnamed"
