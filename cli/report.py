"""`treadle report`: what plans, tasks, flow runs and agents took."""

import json
from pathlib import Path
from typing import Annotated

import typer

from cli import report_pages
from cli.client import Client, CommandError, path_of
from cli.console import Json, load_settings, output, print_json, say
from cli.whole_files import write_whole
from domain.reading.report.report import Report

app = typer.Typer()

Since = Annotated[
    str | None,
    typer.Option(help="Hours, days or weeks (12h, 7d, 2w), or a date (2026-11-01, UTC)."),
]
Project = Annotated[str | None, typer.Option(help="A repository's folder, or its last name.")]
Page = Annotated[
    Path | None,
    typer.Option(
        "--html", metavar="FILE", help="Write a page with charts that needs nothing else."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace FILE where it is there.")]


@app.command()
def report(
    since: Since = None,
    project: Project = None,
    page: Page = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Say how work ended, how long it took, what it waited for, why it failed and what it cost."""
    if page is not None and as_json:
        raise CommandError("take one of --json and --html")
    if page is not None and page.exists() and not force:
        raise CommandError(f"{page} is there already: name another file, or add --force")
    client = Client(load_settings())
    asked = {"since": since, "project": project}
    wanted = {name: value for name, value in asked.items() if value is not None}
    if page is not None:
        write_whole(page, client.pieces(path_of("report.html"), **wanted), replaces=force)
        say(f"Written: {page}")
        return
    found = json.loads("".join(client.pieces(path_of("report"), **wanted)))
    if as_json:
        print_json(found)
    else:
        output.print(report_pages.page(Report.model_validate(found)))
