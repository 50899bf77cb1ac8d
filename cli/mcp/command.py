"""`treadle mcp`: the command."""

from typing import Annotated

import typer

app = typer.Typer()

Http = Annotated[bool, typer.Option("--http", help="Serve streamable HTTP in place of stdio.")]
Address = Annotated[
    str,
    typer.Argument(metavar="HOST:PORT", help="Where, with --http: an address of this machine."),
]


@app.command()
def mcp(address: Address = "", http: Http = False) -> None:
    """Serve MCP: an editor or another agent proposes, queues, reads, waits and comments.

    It acts with a token that only proposes, and approves nothing. Editors start `treadle mcp` by themselves, and
    speak with it on stdin and stdout.
    """
    if address and not http:
        raise typer.BadParameter("give it with --http", param_hint="HOST:PORT")
    from cli.mcp import serving  # what `--help` does not need

    if http:
        serving.serve_http(address)
    else:
        serving.serve_stdio()
