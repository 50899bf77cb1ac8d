"""`treadle people`: inviting people, revoking them, and the names of those who sign in with a provider."""

from datetime import datetime
from typing import Annotated, Any

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, output, say
from cli.core.tables import clock

app = typer.Typer(name="people", help="People who sign in: invite them, revoke them.")


@app.callback()
def people() -> None:
    """People who sign in: invite them, revoke them."""


Named = Annotated[str, typer.Argument(metavar="NAME", help="As people.toml spells it.")]
Hours = Annotated[int, typer.Option(min=1, max=336, help="Hours until the link expires.")]


@app.command()
def invite(name: Named, hours: Hours = 24, as_json: Json = False) -> None:
    """Print the link with which a person registers a passkey and signs in, once.

    An earlier link of the person is good no more. The passkeys that they have stay.
    """
    made: Any = connect().post(path_of("people", name, "invite"), {"hours": hours})
    emit(made, lambda _: _print_link(made), as_json=as_json)


def _print_link(made: Any) -> None:
    output.print(made["url"], markup=False, highlight=False, soft_wrap=True)
    until = clock(datetime.fromisoformat(made["expires_at"]))
    say(f"For {made['person']}, once, until {until}.", style="dim")
    say(
        "It is not shown again: whoever opens it signs in as them, so send it to them alone.",
        style="dim",
    )


@app.command()
def revoke(name: Named, as_json: Json = False) -> None:
    """Remove a person's passkeys and invitations, and end their sessions and tokens.

    Remove their roles in people.toml, too, so that nobody invites them again.
    """
    gone: Any = connect().post(path_of("people", name, "revoke"), {})
    emit(gone, lambda _: say(_ended(gone)), as_json=as_json)


def _ended(gone: Any) -> str:
    counts = ", ".join(f"{gone[what]} {what}" for what in ("passkeys", "sessions", "tokens"))
    return f"Nothing lets {gone['person']} in any more: {counts} ended."


@app.command()
def forget(name: Named, as_json: Json = False) -> None:
    """Free a name for another account of the identity provider, and end its sessions and tokens."""
    gone: Any = connect().post(path_of("people", name, "forget"), {})
    emit(
        gone,
        lambda _: say(
            f"{gone['person']} is free; its browsers are signed out, and its tokens revoked."
        ),
        as_json=as_json,
    )
