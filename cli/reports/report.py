"""`treadle report`: outcomes, durations, waits, failures and costs."""

import json
from pathlib import Path
from typing import Annotated

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, say
from cli.core.errors import CommandError
from cli.core.files import write_whole
from cli.core.options import given
from cli.reports import drawing
from domain.reading.report.report import Report

app = typer.Typer()

Since = Annotated[
    str | None,
    typer.Option(
        help="Start of the period: hours, days or weeks ago (12h, 7d, 2w), or a UTC date."
    ),
]
Project = Annotated[
    str | None, typer.Option(help="Only this repository: its path, or the last part of it.")
]
Page = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write a self-contained HTML page with charts."),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite FILE.")]


@app.command()
def report(
    since: Since = None,
    project: Project = None,
    page: Page = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Report outcomes, durations, waits, failures and costs."""
    if page is not None and as_json:
        raise CommandError("use either --json or --html")
    if page is not None and page.exists() and not force:
        raise CommandError(f"{page} already exists: choose another file, or add --force")
    client = connect()
    wanted = given(since=since, project=project)
    if page is not None:
        write_whole(page, client.pieces(path_of("report.html"), **wanted), replaces=force)
        say(f"Wrote {page}")
        return
    found = json.loads("".join(client.pieces(path_of("report"), **wanted)))
    emit(found, lambda found: drawing.page(Report.model_validate(found)), as_json=as_json)
