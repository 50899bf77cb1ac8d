"""`treadle money`: what this month has cost, how limits stand, and answers at them."""

from typing import Annotated, Any

import typer

from cli.core.client import connect
from cli.core.confirmation import Hash, Picture, bind
from cli.core.console import Json, emit, output, plain, say
from cli.core.errors import CommandError
from cli.core.tables import table_of
from cli.core.usd import read_usd
from domain.core.amounts import cost_words, dollars
from domain.reading.money import AskedLimit, LimitView, MoneyView
from domain.threads.shown import hash_option

app = typer.Typer(
    name="money", invoke_without_command=True, help="Money: this month's cost and spending limits."
)


Amount = Annotated[float | None, typer.Option(parser=read_usd, metavar="USD")]


@app.callback()
def show(context: typer.Context, as_json: Json = False) -> None:
    """Show what this month has cost, by repository, how limits stand, and what is asked at them."""
    if context.invoked_subcommand is None:
        emit(connect().get("/v1/money"), _draw, as_json=as_json)


@app.command("limit")
def limit(
    month: Amount = None,
    project: Amount = None,
    reset: Annotated[bool, typer.Option("--reset", help="Reset to the settings.")] = False,
    as_json: Json = False,
) -> None:
    """Set the limits per calendar month, for all work and for each repository; one that is left out is removed."""
    if not reset and month is None and project is None:
        raise CommandError("give a limit: --month USD, --project USD, or --reset")
    body = {"month_usd": month, "project_usd": project, "is_reset": reset}
    _send("limits", body, as_json=as_json)


@app.command("raise")
def raise_(
    request: Annotated[str, typer.Argument(metavar="REQUEST", help="As `treadle money` lists it.")],
    usd: Annotated[float, typer.Argument(parser=read_usd, metavar="USD", help="The new limit.")],
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Raise a limit that was reached; waiting turns continue."""
    _send("raise", {**_shown(request, content, "Raise"), "usd": usd}, as_json=as_json)


@app.command("stop")
def stop(
    request: Annotated[str, typer.Argument(metavar="REQUEST", help="As `treadle money` lists it.")],
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Keep a limit that was reached, and stop the turns that wait for it."""
    _send("stop", _shown(request, content, "Stop the turns that wait for"), as_json=as_json)


def _shown(request: str, content: str | None, verb: str) -> dict[str, str]:
    """Return the request with the hash of what it shows now, once that is confirmed."""
    view = MoneyView.model_validate(connect().get("/v1/money"))
    found = next((each for each in view.asked if each.request.request_id == request), None)
    if found is None:
        known = ", ".join(each.request.request_id for each in view.asked) or "none"
        raise CommandError(f"no limit is waiting for an answer to {request!r}; open: {known}")
    picture = Picture(found.content_hash, plain(found.words), request, "treadle money")
    bind(picture, content, verb)
    return {"request_id": request, "content_hash": found.content_hash}


def _send(what: str, body: dict[str, Any], *, as_json: bool) -> None:
    found: Any = connect().post(f"/v1/money/{what}", body)
    emit(found, lambda answer: say(answer["message"]), as_json=as_json)


def _draw(found: dict[str, Any]) -> None:
    view = MoneyView.model_validate(found)
    table = table_of(f"{view.month} ({view.time_zone})", "spent", "reserved", "limit", "left")
    for standing in view.standing:
        table.add_row(*_row(standing))
    output.print(table)
    for near in view.near:
        spent, of = dollars(near.spent), dollars(near.limit)
        say(f"{spent} of {of} spent for {near.scope.words}", style="yellow")
    for asked in view.asked:
        _draw_asked(asked)


def _row(standing: LimitView) -> tuple[str, ...]:
    limit, spent = standing.limit, standing.spent
    return (
        standing.words,
        cost_words(spent, standing.unknown) or dollars(0),
        dollars(standing.reserved) if standing.reserved else "–",
        "–" if limit is None else dollars(limit),
        "–" if limit is None else dollars(max(limit - spent, 0)),
    )


def _draw_asked(asked: AskedLimit) -> None:
    name, shown = asked.request.request_id, hash_option(asked.content_hash)
    say(f"{asked.words}. Turns are waiting.", style="yellow")
    say(f"  treadle money raise {name} USD{shown}", style="cyan")
    say(f"  treadle money stop {name}{shown}", style="cyan")
