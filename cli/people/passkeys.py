"""`treadle passkeys`: your passkeys."""

from datetime import datetime
from typing import Annotated, Any

import typer
from rich.table import Table

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, say
from cli.core.tables import clock, table_of

app = typer.Typer(name="passkeys", help="Your passkeys, where people sign in with them.")


@app.callback()
def passkeys() -> None:
    """Your passkeys, where people sign in with them."""


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List your passkeys."""
    found: Any = connect().get("/v1/passkeys")
    emit(found, lambda _: _table(found["passkeys"]), as_json=as_json)


def _table(passkeys: list[dict[str, Any]]) -> Table:
    table = table_of("id", "name", "registered", "last used", whole=["id"])
    for each in passkeys:
        used = each["used_at"]
        table.add_row(
            each["passkey_id"],
            each["name"],
            clock(datetime.fromisoformat(each["created_at"])),
            clock(datetime.fromisoformat(used)) if used else "never",
        )
    return table


@app.command()
def remove(
    passkey: Annotated[str, typer.Argument(metavar="ID", help="See `treadle passkeys list`.")],
    force: Annotated[
        bool, typer.Option("--force", help="Remove it although you have no other.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Remove a passkey of yours, and end the sessions that began with it and tokens made in them."""
    gone: Any = connect().post(path_of("passkeys", passkey, "remove"), {"is_forced": force})
    said = f"Removed {gone['name']}. Whoever was signed in with it is signed out{_revoked(gone['tokens'])}."
    emit(gone, lambda _: say(said), as_json=as_json)


def _revoked(tokens: int) -> str:
    if not tokens:
        return ""
    return ", and 1 token is revoked" if tokens == 1 else f", and {tokens} tokens are revoked"
