"""`treadle open`: sign in a browser."""

import webbrowser
from typing import Annotated

import typer

from cli.core.client import connect
from cli.core.console import Json, emit, output, plain, say

app = typer.Typer()

Browser = Annotated[
    bool,
    typer.Option("--browser", help="Open it as well; other users may see it in the process list."),
]


@app.command(name="open")
def open_(browser: Browser = False, as_json: Json = False) -> None:
    """Print a link that signs in one browser.

    It works once, within five minutes; the browser stays signed in for twelve hours.
    """
    link = connect().post("/v1/browser-links", {"command_id": None})
    emit(link, lambda _: output.print(plain(link["url"]), soft_wrap=True), as_json=as_json)
    if browser and not webbrowser.open(link["url"]):
        say("Could not start a browser; open the link yourself.", style="yellow")
