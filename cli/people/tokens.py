"""`treadle tokens`: create, list and revoke personal access tokens."""

from datetime import datetime
from typing import Annotated, Any

import typer
from rich.table import Table

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, output, say
from cli.core.tables import clock, table_of

app = typer.Typer(name="tokens", help="Personal access tokens for the API and the command line.")

Scope = Annotated[
    str, typer.Option(help="The most that it may do: viewer, proposer, author, approver or admin.")
]


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is for, like `laptop`.")],
    scope: Scope = "author",
    days: Annotated[int, typer.Option(min=1, max=366, help="Days until it expires.")] = 90,
    project: Annotated[
        list[str] | None, typer.Option(help="Only in this project; repeat for more.")
    ] = None,
    person: Annotated[
        str | None, typer.Option("--for", help="For another person; you must be an admin.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Create a token and print it: it is shown this once."""
    body = {"name": name, "scope": scope, "days": days, "projects": project or [], "person": person}
    made: Any = connect().post("/v1/tokens", body)
    emit(made, lambda _: _print_new(made), as_json=as_json)


def _print_new(made: Any) -> None:
    output.print(made["token"], markup=False, highlight=False, soft_wrap=True)
    details = made["details"]
    until = clock(datetime.fromisoformat(details["expires_at"]))
    say(f"For {details['person']}, scope {details['scope']}, until {until}.", style="dim")
    say("It is not shown again: use it as `Authorization: Bearer TOKEN`.", style="dim")


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List your tokens; an admin sees those of all."""
    found: Any = connect().get("/v1/tokens")
    emit(found, lambda _: _table(found["tokens"]), as_json=as_json)


def _table(tokens: list[dict[str, Any]]) -> Table:
    table = table_of(
        "id", "person", "name", "scope", "projects", "expires", "last used", whole=["id"]
    )
    for each in tokens:
        used = each["used_at"]
        table.add_row(
            each["token_id"],
            each["person"],
            each["name"],
            each["scope"],
            ", ".join(each["projects"]) or "all",
            "revoked" if each["revoked_at"] else clock(datetime.fromisoformat(each["expires_at"])),
            clock(datetime.fromisoformat(used)) if used else "never",
        )
    return table


@app.command()
def revoke(
    token: Annotated[str, typer.Argument(metavar="ID", help="See `treadle tokens list`.")],
    as_json: Json = False,
) -> None:
    """Revoke a token: it is refused from now on."""
    gone: Any = connect().post(path_of("tokens", token, "revoke"), {})
    emit(gone, lambda _: say(f"Revoked {gone['name']}."), as_json=as_json)
