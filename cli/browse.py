"""The command that lets a browser in: open."""

import webbrowser
from typing import Annotated

import typer

from cli.client import Client
from cli.console import Json, load_settings, output, plain, print_json, say

app = typer.Typer()

Browser = Annotated[
    bool,
    typer.Option("--browser", help="Open it too; other users may see it among the processes."),
]


@app.command(name="open")
def open_(browser: Browser = False, as_json: Json = False) -> None:
    """Print a link that signs one browser in: once, within five minutes, for twelve hours."""
    link = Client(load_settings()).post("/v1/browser-links", {"command_id": None})
    if as_json:
        print_json(link)
    else:
        output.print(plain(link["url"]), soft_wrap=True)
    if browser and not webbrowser.open(link["url"]):
        say("No browser could be started: open the link yourself.", style="yellow")
